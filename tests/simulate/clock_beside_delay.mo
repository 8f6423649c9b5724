// A continuous delay of what a clocked partition gives, and events beside it: x goes up by 0.1 at each tick, late sees it 0.25 s later.
//! command simulate {file} --output - --stop 1.05 --interval 0.01
//! near late(0.34) = 0 within 1e-9
//! near late(0.36) = 0.1 within 1e-9
//! near late(0.94) = 0.6 within 1e-9
//! near late(0.96) = 0.7 within 1e-9
//! near passed(0.6) = 0 within 0
//! near passed(0.9) = 1 within 0
//! near z(1.05) = 0.28 within 1e-6
model ClockBesideDelay
  Real x(start = 0, fixed = true), held = hold(x), late = delay(held, 0.25), z(start = 0, fixed = true);
  Integer passed(start = 0, fixed = true);
equation
  when Clock(Clock(1, 10), "ExplicitEuler") then
    der(x) = 1;
  end when;
  der(z) = late;
  when late > 0.45 then
    passed = pre(passed) + 1;
  end when;
end ClockBesideDelay;
