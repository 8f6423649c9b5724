// Ticks of one time. A partition that ticks for the first time beside others that have ticked, some of them with derivatives, gives
// and takes values of this tick in the order of the equations; a clock that varies counts its time, so that it
// meets clocks of fractions exactly, and takes what they held before.
//! command simulate {file} --output - --stop 1.05 --interval 0.025
//! near late(0.125) = 0.2 within 1e-12
//! near seen(0.125) = 0.2 within 1e-12
//! near back(0.125) = 0.2 within 1e-12
//! near both(0.125) = 1.2 within 1e-12
//! near back(0.225) = 0.4 within 1e-12
//! near x(0.125) = 0.1 within 1e-12
//! near y(0.225) = 0.01 within 1e-12
//! near on(0.075) = 1 within 0
//! near same(0.075) = 0 within 0
//! near same(0.125) = 1 within 0
//! near held(0.325) = 3 within 0
//! near held(0.925) = 9 within 0
//! near held(1.025) = 10 within 0
//! check {rubato} simulate {file} --stop 1.05 --interval 0.025 --output a.csv --quiet; {rubato} simulate {file} --stop 0.35 --save-state s --quiet; {rubato} simulate {file} --stop 1.05 --interval 0.025 --from-state s --output b.csv --quiet; tail -20 a.csv > a; tail -20 b.csv > b; cmp a b
model ClockTogether
  Clock fast = Clock(1, 10), later = shiftSample(fast, 1);
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), late(start = -1), seen, back, both;
  Boolean on(start = true), same(start = false);
  Integer n(start = 2), count(start = 0), held;
equation
  when Clock(fast, "ImplicitEuler") then
    der(x) = 1;
    seen = noClock(late);
    back = backSample(late, 1);
    der(y) = noClock(x) - 0.1;
    both = seen + (if x > 0.05 then 1 else 0);
  end when;
  when later then
    late = 2*noClock(x);
    on = late > 0 or firstTick();
    same = on "before the first tick they differ";
  end when;
  when Clock(1, 10) then
    count = previous(count) + 1;
  end when;
  when Clock(n, 10) then
    n = 3 - previous(n);
    held = sample(hold(count));
  end when;
end ClockTogether;
