// A slow partition whose first tick is later than those of others, with staggered coupling: what it gives and takes at
// that tick are values of that tick, and its start value before is none that a line could begin with.
//! command simulate {file} --output - --stop 0.75 --interval 0.05 --staggered
//! near up(0.15) = -0.9 within 1e-12
//! near late(0.25) = 2 within 1e-12
//! near up(0.25) = 2.2 within 1e-12
//! near after(0.25) = 3.2 within 1e-12
//! near back(0.45) = 2 within 1e-12
model ClockFirstStaggered
  Clock fast = Clock(1, 10), slow = subSample(fast, 2), later = shiftSample(slow, 1);
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
  Real late(start = -1), back(start = -5), up(start = -7), after(start = -9);
equation
  when Clock(fast, "ImplicitEuler") then
    der(x) = 1;
    up = noClock(superSample(s)) + noClock(late);
  end when;
  when Clock(slow, "ImplicitEuler") then
    der(s) = 1;
    back = backSample(late, 1, 1);
  end when;
  when later then
    late = 10*noClock(x);
    after = noClock(up) + 1;
  end when;
end ClockFirstStaggered;
