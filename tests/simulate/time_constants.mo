// A comparator between a saw tooth and what is held or constant: its times are known. Formulas lead through variables
// that change at events only, too, and steps end at events, not at the windows in which relations of time are searched.
//! command simulate {file} --intervals 1 --output -
//! near n(1) = 100 within 0
//! near x(1) = 0.5 within 1e-6
//! near m(1) = 32 within 0
//! stat events_state = 0
//! stat steps_rejected = 0
//! stat steps_accepted < 300
model time_constants
  parameter Real period = 0.01;
  discrete Real begin(start = 0, fixed = true), held(start = 0.5, fixed = true);
  Real s, level = 0.5, keeper;
  Boolean on, high;
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when sample(0, period) then
    begin = time;
    held = level;
  end when;
  keeper = pre(held);
  s = (time - begin)/period;
  on = keeper > s;
  when not on then
    n = pre(n) + 1;
  end when;
  high = sin(200*time) + 0.1*sin(time) > 1 - level;
  when high then
    m = pre(m) + 1;
  end when;
  der(x) = if on then 1 else 0;
  annotation(experiment(StopTime = 1));
end time_constants;
