// Relations of time and discrete values alone without a form whose times are known: their next event is searched for
// before the step is taken. They are time events, and no step is repeated for them.
//! command simulate {file} --intervals 1 --output -
//! near n(10) = 33 within 0
//! near m(10) = 48 within 0
//! near k(10) = 12 within 0
//! near late(10) = 9 within 0
//! stat events_state = 0
//! stat steps_rejected = 0
//! check for c in '--method rodas5p' '--solver cvode' '--rates auto' '--tier 1' '--tolerance 1e-3'; do {rubato} simulate {file} $c --quiet --intervals 1 --output r.csv --stats s.json || exit 1; grep -q '"events_state":0,' s.json || { cat s.json; exit 1; }; tail -1 r.csv | grep -q ',33,48,12,9,' || { tail -1 r.csv; exit 1; }; done
model time_search
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  discrete Integer late(start = 0, fixed = true);
  discrete Real speed(start = 2, fixed = true);
  parameter Real a = 0.5;
equation
  10*der(x) = 1 - x;
  when sin(6*time)*sin(2*3.141592653589793*5*time + 0.2) > a then
    n = pre(n) + 1;
  end when;
  when sin(3*time^2) > 0.3 then
    m = pre(m) + 1;
  end when;
  when integer(3*sin(7*time)) > 1 then
    k = pre(k) + 1;
  end when;
  when time > 5 then
    speed = 8;
  end when;
  when sin(speed*time) + 0.1*sin(time) > 0 then
    late = pre(late) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end time_search;
