//! command simulate {file} --stop 1 --output -
//! message enough
model TerminateInFunction
  function f
    input Real x;
    output Real y;
  algorithm
    if x > 0.5 then
      terminate("enough");
    end if;
    y := 2*x;
  end f;
  Real y;
algorithm
  when sample(0, 0.1) then
    y := f(time);
  end when;
end TerminateInFunction;
