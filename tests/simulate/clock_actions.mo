// Assertions of an array of components with different sub-clocks: each is asked at the ticks of its own. The
// second ticks every 0.1 s and warns at 0.5 s, when the others do not tick.
//! command simulate {file} --output - --stop 1.05 --interval 0.05
//! warning R105 17:5
//! message at time 0.5: part 2 is late
//! near p[1].n(1.05) = 6 within 0
//! near p[2].n(1.05) = 11 within 0
//! near p[3].n(1.05) = 3 within 0
model Actions
  block Part
    parameter Integer number, factor;
    parameter Real limit;
    Real x = sample(time, subSample(Clock(1, 10), factor));
    Integer n(start = 0);
  equation
    n = previous(n) + (if x >= 0 then 1 else 0);
    assert(abs(x - limit) > 0.05, "part " + String(number) + " is late", AssertionLevel.warning);
  end Part;
  Part p[3](number = {1, 2, 3}, factor = {2, 1, 5}, limit = {0.5, 0.5, 0.8});
  Real one = superSample(p[1].x, 2) + p[2].x, three = superSample(p[3].x, 5) + p[2].x;
end Actions;
