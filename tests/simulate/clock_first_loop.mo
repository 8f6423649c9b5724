// Staggered coupling needs no order of partitions, and here there is none: at the first tick of the slow one the fast one takes its
// start value, as at all ticks what was given before.
//! command simulate {file} --output - --stop 0.75 --interval 0.05 --staggered
//! near b(0.15) = -5 within 0
//! near c(0.15) = -4 within 0
//! near c(0.25) = -4 within 0
//! near b(0.25) = -3.9 within 1e-12
//! near c(0.35) = -2.9 within 1e-12
model ClockFirstLoop
  Clock fast = Clock(1, 10), later = shiftSample(subSample(fast, 2), 1), slow = subSample(fast, 2);
  Real b(start = -5), c(start = -7), s(start = 0), x(start = 0, fixed = true);
equation
  when Clock(fast, "ImplicitEuler") then
    der(x) = 1;
    c = noClock(b) + 1;
  end when;
  when later then
    b = noClock(c) + 0.1;
  end when;
  when slow then
    s = previous(s) + 1;
  end when;
end ClockFirstLoop;
