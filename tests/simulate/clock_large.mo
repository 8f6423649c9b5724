// Factors near the limits of 64 bits: a partition of clocks alone has no ticks of its own, here 2^40 in a second.
//! command simulate {file} --output - --stop 2.25 --interval 0.5
//! near n(2.25) = 5 within 0
//! near m(2.25) = 9 within 0
//! stat events_time < 20
model ClockLarge
  Clock fine = Clock(1, 1099511627776), half = subSample(fine, 549755813888);
  Clock twice = subSample(superSample(half, 1073741824), 536870912);
  Integer n(start = 0), m(start = 0);
equation
  when half then
    n = previous(n) + 1;
  end when;
  when twice then
    m = previous(m) + 1;
  end when;
end ClockLarge;
