// Ticks of 0.1 s: every operator gives the value of the last tick of its argument; the sums show
// how often each partition ticked.
//! command simulate {file} --output - --stop 1.02 --interval 0.01
//! near x(0.35) = 0.3 within 1e-12
//! near n(1.01) = 11 within 0
//! near half(0.35) = 0.2 within 1e-12
//! near halves(1.01) = 6 within 0
//! near twice(0.36) = 0.3 within 1e-12
//! near twices(1.01) = 21 within 0
//! near later(0.32) = 0.2 within 1e-12
//! near later(0.34) = 0.3 within 1e-12
//! near laters(1.01) = 10 within 0
//! near sooner(0.02) = 0.7 within 0
//! near sooner(0.05) = 0.7 within 0
//! near sooner(0.55) = 0.5 within 1e-12
//! near kept(0) = -3 within 0
//! near kept(0.32) = 0.2 within 1e-12
//! near any(0.64) = 0.6 within 1e-12
model ClockOperators
  Real x, half, twice, later, sooner, any;
  Real from(start = 0.7);
  Real kept;
  Real delayed(start = -3);
  Integer n(start = 0), halves(start = 0), twices(start = 0), laters(start = 0);
equation
  x = sample(time, Clock(1, 10));
  n = previous(n) + (if x >= 0 then 1 else 0);
  half = subSample(x, 2);
  halves = previous(halves) + (if half >= 0 then 1 else 0);
  twice = superSample(x, 2);
  twices = previous(twices) + (if twice >= 0 then 1 else 0);
  later = shiftSample(x, 1, 3);
  laters = previous(laters) + (if later >= 0 then 1 else 0);
  from = shiftSample(x, 2, 1);
  sooner = backSample(from, 2, 1);
  delayed = shiftSample(x, 1, 3);
  kept = hold(delayed);
  when Clock(2, 10) then
    any = noClock(x);
  end when;
end ClockOperators;
