// A clock that ticks when a condition becomes true, here at 0.1, 0.4, 0.9 (x = 1, 2, 3 with
// x = sqrt(10 time)); interval() is the time since the tick before.
//! command simulate {file} --output - --stop 1 --tolerance 1e-10
//! near count(0.05) = 0 within 0
//! near count(0.2) = 1 within 0
//! near count(1) = 3 within 0
//! near last(1) = 0.9 within 1e-7
//! near gap(0.2) = 0.5 within 0
//! near gap(0.5) = 0.3 within 1e-7
//! near gap(1) = 0.5 within 1e-7
//! near second(1) = 0.4 within 1e-7
model ClockEvent
  Real x, y(start = 0, fixed = true);
  Integer count(start = 0), next(start = 1);
  Real last, gap, second;
  Boolean due = x*x >= hold(next)*hold(next);
equation
  der(y) = 1;
  x = sqrt(10*y + 1e-30);
  when Clock(due, 0.5) then
    count = previous(count) + 1;
    next = previous(next) + 1;
    last = sample(time);
    gap = interval();
  end when;
  second = subSample(shiftSample(last, 1), 2);
end ClockEvent;
