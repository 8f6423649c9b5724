// Relations with variables that depend on time, parameters and discrete values alone, through aliases, formulas and
// components, are time events: exact where the form is known, searched for before the step otherwise.
//! command simulate {file} --intervals 1 --output -
//! near n(10.01) = 50 within 0
//! near m(10.01) = 48 within 0
//! near k(10.01) = 40 within 0
//! near late(10.01) = 9 within 0
//! near half(10.01) = 0.5 within 0
//! near last(10.01) = 9.8166666666666667 within 1e-12
//! stat events_state = 0
//! stat steps_rejected = 0
//! check for c in '' '--method rodas5p' '--rates auto' '--solver cvode' '--tier 1'; do {rubato} simulate {file} $c --quiet --intervals 1 --output r.csv --stats s.json || exit 1; grep -q '"events_state":0,' s.json || { cat s.json; exit 1; }; python3 -c "import csv; r = list(csv.DictReader(open('r.csv')))[-1]; v = [float(r[k]) for k in ('n', 'm', 'k', 'late', 'half')]; assert v == [50, 48, 40, 9, 0.5], v" || exit 1; done
model time_variables
  connector In = input Real;
  connector Out = output Real;
  block Wave
    parameter Real f = 1, begin = 0;
    Out y;
  equation
    y = if time < begin then 0 else sin(2*3.141592653589793*f*(time - begin));
  end Wave;
  block Counter
    In u;
    parameter Real level = 0.5;
    discrete Integer n(start = 0, fixed = true);
    discrete Real last(start = 0, fixed = true);
    Boolean up = u > level;
  equation
    when up then
      n = pre(n) + 1;
      last = time;
    end when;
  end Counter;
  Wave wave(f = 5);
  Counter counter;
  Integer n = counter.n;
  Real last = counter.last;
  Real x(start = 0, fixed = true);
  Real square = time^2, chirp = sin(3*square), minus = -chirp;
  discrete Integer m(start = 0, fixed = true), k(start = 0, fixed = true), late(start = 0, fixed = true);
  discrete Real speed(start = 2, fixed = true), half(start = 0, fixed = true);
  Real ramp = 2*time - 1, four = 2*(ramp + 1), mixed;
  Integer quarter = integer(four);
equation
  10*der(x) = 1 - x;
  connect(wave.y, counter.u);
  when minus < -0.3 then
    m = pre(m) + 1;
  end when;
  when change(quarter) then
    k = pre(k) + 1;
  end when;
  when ramp >= 0 then
    half = time;
  end when;
  when time > 5 then
    speed = 8;
  end when;
  mixed = sin(speed*time) + 0.1*sin(time);
  when mixed > 0 then
    late = pre(late) + 1;
  end when;
  annotation(experiment(StopTime = 10.01));
end time_variables;
