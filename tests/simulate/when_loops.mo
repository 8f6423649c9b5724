// when-clauses in loops, loops in when-clauses, nested and with elsewhen.
//! command simulate {file} --output - --stop 1 --intervals 100
//! near n[1](1) = 1 within 0
//! near n[2](1) = 2 within 0
//! near n[3](1) = 3 within 0
//! near m[1,1](0.4) = 1 within 0
//! near m[1,1](1) = 11 within 0
//! near m[2,3](1) = 23 within 0
//! near m[2,3](0.3) = 0 within 0
//! near m[2,3](0.5) = 13 within 0
//! near s[1](1) = 10.5 within 1e-9
//! near s[4](1) = 40.5 within 1e-9
//! near last(1) = 4 within 0
//! near x[1](1) = 0.3 within 1e-6
//! near x[2](1) = 0.6 within 1e-6
//! near c[2].q[1](1) = 21 within 0
//! near c[2].q[2](1) = 22 within 0
model WhenLoops
  model Cell
    parameter Integer k;
    discrete Integer q[2](each start = 0, each fixed = true);
  equation
    for i in 1:2 loop
      when time > 0.1*i*k then
        q[i] = 10*k + i;
      end when;
    end for;
  end Cell;
  Cell c[2](k = {1, 2});
  discrete Integer n[3](each start = 0, each fixed = true);
  discrete Integer m[2, 3](each start = 0, each fixed = true);
  discrete Real s[4](each start = 0, each fixed = true);
  discrete Real last(start = 0, fixed = true);
  Real x[2](each start = 0, each fixed = true);
equation
  for i in 1:3 loop
    when sample(0.05, 1/i) then
      n[i] = pre(n[i]) + 1;
    end when;
    for j in 1:2 loop
      when time > 0.1*i + 0.05*j then
        m[j, i] = 10*j + i - 10;
      elsewhen time > 0.5 + 0.01*i*j then
        m[j, i] = 10*j + i;
      end when;
    end for;
  end for;
  when time > 0.5 then
    for i in 1:4 loop
      s[i] = 10*i + 0.5;
    end for;
    if n[1] > 0 then
      last = 4;
    else
      last = 5;
    end if;
  end when;
  for i in 1:2 loop
    der(x[i]) = i;
    when time > 0.7 then
      reinit(x[i], 0);
    end when;
  end for;
end WhenLoops;
