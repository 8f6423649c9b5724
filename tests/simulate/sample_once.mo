// A period without end: one tick, where the sample starts, on a time scale of nanoseconds.
//! command simulate {file} --output - --stop 1e-8 --intervals 100
//! near count(1.5e-9) = 0 within 0
//! near count(9e-9) = 1 within 0
//! near at(9e-9) = 2e-9 within 1e-18
model SampleOnce
  parameter Real period = 1.7e308;
  Integer count(start = 0, fixed = true);
  discrete Real at(start = -1, fixed = true);
equation
  when sample(2e-9, period) then
    count = pre(count) + 1;
    at = time;
  end when;
end SampleOnce;
