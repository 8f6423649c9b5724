// What ticks with an equation: its first variable, not the source of a value that comes from another clock, wherever it
// stands; and such values themselves where a function that gets them ignores them.
//! command simulate {file} --output - --stop 0.35 --interval 0.025
//! near left(0.25) = 0.4 within 1e-12
//! near both(0.25) = 0.6 within 1e-12
//! near ignored(0.25) = 3 within 0
//! near outside(0.325) = 7 within 0
//! near element[3](0.25) = 9 within 0
//! near asserted(0.25) = 0.2 within 1e-12
model ClockTied
  function next
    input Real old;
    input Real ignored;
    output Real new = old + 1;
  algorithm
  end next;
  Real u = time, left, both, asserted;
  Real ignored(start = 0), outside(start = 0), element[3](each start = 0);
  Real beat = sample(u, Clock(1, 20));
equation
  when Clock(1, 10) then
    2*sample(u) = left;
    sample(u) + 2*sample(time) = both;
    ignored = next(previous(ignored), sample(u));
    for i in 1:3 loop
      element[i] = i*next(previous(element[i])/i, sample(i*u));
    end for;
    assert(sample(u) < asserted + 1, "never");
  end when;
  outside = next(previous(outside), sample(u, Clock(1, 20)));
  asserted = noClock(subSample(beat, 2));
end ClockTied;
