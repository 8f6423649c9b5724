// interval() at the first tick of clocks that vary: of a counter previous(n)/resolution, of an interval previous(d), of a condition what
// was given, else 0. interval(u) and firstTick(u) are those of u.
//! command simulate {file} --output - --stop 1.05 --interval 0.05
//! near hc(0.02) = 0.3 within 1e-12
//! near hc(0.45) = 0.4 within 1e-12
//! near hd(0.02) = 0.25 within 1e-12
//! near hd(0.55) = 0.5 within 1e-12
//! near he(0.25) = 0 within 0
//! near of(0.02) = 0.2 within 1e-12
//! near first(0.02) = 1 within 0
//! near first(0.25) = 0 within 0
model ClockFirst
  Integer n(start = 3);
  Real d(start = 0.25), hc, hd, he(start = -1), e, of;
  Real u = sample(time, Clock(2, 10));
  Boolean first;
equation
  when Clock(n, 10) then
    n = previous(n) + 1;
    hc = interval();
  end when;
  when Clock(d) then
    d = 2*previous(d);
    hd = interval();
  end when;
  e = sample(time, Clock(time > 0.2));
  he = interval(e);
  of = interval(u);
  first = firstTick(u);
end ClockFirst;
