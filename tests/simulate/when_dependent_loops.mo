// When-clauses in loops whose ranges depend on the counters of other loops.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near n[1,1](1) = 1 within 0
//! near n[3,2](1) = 1 within 0
//! near n[3,3](1) = 0 within 0
//! near x[1,3](1) = 13 within 0
//! near x[2,3](1) = 123 within 0
model WhenDependentLoops
  Integer n[3, 3](each start = 0, each fixed = true);
  discrete Real x[3, 3](each start = 0, each fixed = true);
equation
  for i in 1:3 loop
    for j in 1:i loop
      when time > 0.12*i*j then
        n[i, j] = pre(n[i, j]) + 1;
      end when;
    end for;
    for j in i + 1:3 loop
      n[i, j] = 0;
    end for;
    for j in i:3 loop
      when time > 0.1*i + 0.01*j then
        x[i, j] = 10*i + j;
      elsewhen time > 0.5 and i > 1 then
        x[i, j] = 100 + 10*i + j;
      end when;
    end for;
    for j in 1:i - 1 loop
      x[i, j] = 0;
    end for;
  end for;
end WhenDependentLoops;
