// A clocked when-clause holds general equations, here a linear system and a nonlinear equation;
// interval() and firstTick() are those of its clock.
//! command simulate {file} --output - --stop 1.1
//! near a(0.55) = 0.2 within 1e-10
//! near b(0.55) = 0.3 within 1e-10
//! near r(1.05) = 2 within 1e-9
//! near h(1.05) = 0.25 within 1e-15
//! near sum(1.05) = 1 within 1e-12
//! near first(0.1) = 1 within 0
//! near first(0.3) = 0 within 0
model ClockWhen
  Real a, b, r(start = 1), h, sum(start = 0);
  Boolean first;
equation
  when Clock(1, 4) then
    a + b = sample(time);
    3*a - 2*b = 0;
    r^3 = 8;
    h = interval();
    sum = if firstTick() then 0 else previous(sum) + interval();
    first = firstTick();
  end when;
end ClockWhen;
