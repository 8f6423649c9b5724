//! command simulate {file} --output - --stop 1.05
//! near count(1.04) = 10 within 0
//! near last(1.04) = 0.1 within 1e-9
// A state event found by iteration a hair beside a tick must neither swallow nor repeat it.
model SampleBesideStateEvent
  Real x(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
  Boolean high(start = false, fixed = true);
  Integer count(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(x) = 1;
  der(s) = 1;
  high = sin(31.41592653589793*s) > 0;
  when sample(0.1, 0.1) then
    count = pre(count) + 1;
    last = pre(x);
    reinit(x, 0);
  end when;
end SampleBesideStateEvent;
