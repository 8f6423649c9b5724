// While levels do not pay, the first level stops for all events, also for those that concern other
// states. What a fast crossing does between the beginning of the step and the event of another one is
// not on a parabola through both: it was taken to be, and the beat that begins 0.003 s after the
// first point after such an event was lost (11 of 12).
//! command simulate {file} --rates auto --tolerance 1e-4 --stop 10 --output -
//! near turns(10) = 12 within 0
//! near beats(10) = 12 within 0
model RatesElsewhere
  Real x(start = 0, fixed = true) "slow";
  Real shaft(start = 0.0468, fixed = true);
  Real drift(start = 5.7266, fixed = true) "with a relation that never changes";
  Real slow(start = 0.5304, fixed = true), fast(start = 5.6804, fixed = true);
  discrete Integer turns(start = 0, fixed = true), never(start = 0, fixed = true);
  discrete Integer beats(start = 0, fixed = true);
equation
  13.591*der(x) = 1 - x;
  der(shaft) = 7.7206;
  der(drift) = 0.43752;
  der(slow) = 0.92576;
  der(fast) = 15.772;
  when sin(shaft) > -0.619 then
    turns = pre(turns) + 1;
  end when;
  when exp(2*sin(drift))/5 > -0.153 then
    never = pre(never) + 1;
  end when;
  when sin(slow)*sin(fast) > 0.805 then
    beats = pre(beats) + 1;
  end when;
end RatesElsewhere;
