// A slow partition whose first tick is later than those of others: at that tick it is computed at once, although it is a task of its
// own, and the others use what it gives, as it uses what they give. Slow partitions that begin to work then copy it.
//! command simulate {file} --output - --stop 0.75 --interval 0.05 --tasks split
//! near up(0.15) = -1 within 1e-12
//! near late(0.25) = 2 within 1e-12
//! near up(0.25) = 2 within 1e-12
//! near after(0.25) = 3 within 1e-12
//! near back(0.35) = -1 within 1e-12
//! near back(0.45) = 2 within 1e-12
//! near up(0.45) = 2.2 within 1e-12
//! near after(0.65) = 3.2 within 1e-12
//! check for o in split rates; do {rubato} simulate {file} --stop 0.75 --interval 0.05 --tasks $o --output $o.csv --quiet; done; cmp split.csv rates.csv
model ClockFirstTasks
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
end ClockFirstTasks;
