// Relations and step functions of linear functions of time, of their sines, cosines and remainders: their times are
// known in advance. Nothing is searched for, and no step of ours is repeated.
//! command simulate {file} --intervals 1 --output -
//! near n(10.01) = 50 within 0
//! near m(10.01) = 34 within 0
//! near k(10.01) = 32 within 0
//! near q(10.01) = 40 within 0
//! near r(10.01) = 30 within 0
//! near w(10.01) = 3 within 0
//! near last(10.01) = 9.8166666666666667 within 1e-14
//! check for c in '' '--method rodas5p' '--solver cvode' '--rates auto' '--tier 1'; do {rubato} simulate {file} $c --quiet --output r.csv --stats s.json || exit 1; case $c in *cvode) ;; *) grep -q '"steps_rejected":0,' s.json || { cat s.json; exit 1; };; esac; grep -q '"events_state":0,' s.json || { cat s.json; exit 1; }; tail -1 r.csv | grep -q ',50,34,32,40,30,3,' || { tail -1 r.csv; exit 1; }; done
model time_events
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  discrete Integer q(start = 0, fixed = true), r(start = 0, fixed = true);
  Integer w = (if 0.001*time + 1000 > 1000.0025 then 1 else 0) + (if time >= 5 then 1 else 0) + (if time > 7.5 then 1 else 0);
  discrete Real last(start = 0, fixed = true);
  Integer j = integer(4*time), c = integer(ceil(3*time - 0.5));
  parameter Real f = 5;
  constant Real pi = 3.141592653589793;
equation
  10*der(x) = 1 - x;
  when sin(2*pi*f*time) > 0.5 then
    n = pre(n) + 1;
    last = time;
  end when;
  when mod(time, 0.3) > 0.1 then
    m = pre(m) + 1;
  end when;
  when 0.3 + 2*cos(20*time + 1) <= 1 then
    k = pre(k) + 1;
  end when;
  when change(j) then
    q = pre(q) + 1;
  end when;
  when change(c) then
    r = pre(r) + 1;
  end when;
  annotation(experiment(StopTime = 10.01));
end time_events;
