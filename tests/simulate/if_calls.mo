// terminate and assertions in branches of if-equations, in loops and branches in them.
//! command simulate {file} --output - --stop 2
//! warning R105 17:7
//! message the model ended the simulation at time 0.5: at 1
//! near x(0.5) = 0.5 within 1e-6
model IfCalls
  Real x(start = 0, fixed = true);
  parameter Integer n = 3;
  Boolean high = x > 0.2;
equation
  der(x) = 1;
  if high then
    assert(x < 0.9, "never asked");
    if x > 1 then
      terminate("never");
    else
      assert(x < 0.1, "high", AssertionLevel.warning);
    end if;
    for i in 1:n loop
      if x > 0.5*i then
        terminate("at " + String(i));
      end if;
    end for;
  end if;
end IfCalls;
