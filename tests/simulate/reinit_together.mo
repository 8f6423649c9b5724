// States that are set at the same event are set together: every value comes from before the event, also
// where the clauses are different ones, and in arrays.
//! command simulate {file} --stop 2 --intervals 20 --output -
//! near x(2) = 3 within 1e-9
//! near y(2) = -1 within 1e-9
//! near a[1](2) = 2 within 1e-9
//! near a[2](2) = 3 within 1e-9
//! near a[3](2) = 1 within 1e-9
//! near p(2) = 4 within 1e-9
//! near q(2) = 9 within 1e-9
model ReinitTogether
  Real x(start = 0, fixed = true), y(start = 2, fixed = true);
  Real a[3](start = {1, 2, 3}, each fixed = true);
  Real p(start = 9, fixed = true), q(start = 4, fixed = true);
equation
  der(x) = 1;
  der(y) = -1;
  der(a) = zeros(3);
  der(p) = 0;
  der(q) = 0;
  when time > 5 then
    reinit(x, 99);
  elsewhen time > 1 then
    reinit(x, y + 1);
    reinit(y, x - 1);
  end when;
  when time > 1 then
    for i in 1:3 loop
      reinit(a[i], a[mod(i, 3) + 1]);
    end for;
  end when;
  when time > 0.5 then
    reinit(p, q);
  end when;
  when time > 0.5 then
    reinit(q, p);
  end when;
end ReinitTogether;
