// In which order things happen at a tick (16.4, 16.9). sample(u) is the left limit of u, beside the sample of events, which has
// numbers. What a clocked partition gives is there for the continuous part at the same tick, but for another base clock only at its
// next tick. Partitions whose equations take turns at one tick: a, then b of half the rate, then c with the clock of a. Ticks of a third
// of a second and of a second meet, whatever 1/3 is in binary.
//! command simulate {file} --output - --stop 9.05 --interval 0.05
//! near seen(0.25) = 0 within 0
//! near seen(0.35) = 0 within 0
//! near seen(0.45) = 1 within 0
//! near beats(0.09) = 0 within 0
//! near beats(0.65) = 3 within 0
//! near at(0.25) = 12 within 0
//! near other(0.25) = 1 within 0
//! near other(0.45) = 12 within 0
//! near c(0.25) = 241 within 0
//! near c(0.35) = 241 within 0
//! near meet(9.05) = 10 within 0
//! near thirds(9.05) = 28 within 0
model ClockOrder
  Real jumps = if time >= 0.3 then 1 else 0, seen = sample(jumps, Clock(1, 10));
  Integer beats(start = 0, fixed = true);
  Real own, at = hold(own), other;
  Integer n(start = 0), a, b, c;
  Integer thirds(start = 0), meet(start = 0), whole;
equation
  when sample(0.1, 0.25) then
    beats = pre(beats) + 1;
  end when;
  when Clock(2, 10) then
    own = if sample(time) > 0.1 then 12 else 1;
  end when;
  when Clock(0.2) then
    other = sample(at);
  end when;
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  a = 10*(n - mod(n + 1, 2));
  b = 4*subSample(a, 2);
  c = 2*superSample(b, 2) + (if a > 0 then 1 else 0);
  when Clock(1, 3) then
    thirds = previous(thirds) + 1;
  end when;
  whole = subSample(thirds, 3);
  when Clock(1) then
    meet = previous(meet) + (if whole == 3*previous(meet) + 1 then 1 else 0);
  end when;
end ClockOrder;
