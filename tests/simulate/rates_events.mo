// Bounces, counters, relations in derivatives and outputs by cone; samples and a sum over all cells
// as a whole: the same values as with one rate, from a fraction of the crossings.
//! command simulate {file} --rates 3 --tolerance 1e-10 --output - --stats {tmp}/s --trace {tmp}/t
//! near h[3](1.4) = 0.18492560289922136 within 1e-08
//! near v[3](2.9) = 1.8205000686896031 within 1e-07
//! near w[3](2.9) = 0.61533192234013179 within 1e-08
//! near w[12](2.9) = 0.85914669084532846 within 1e-08
//! near count[1](2.9) = 4 within 0
//! near count[7](1.4) = 1 within 0
//! near last[7](2.9) = 2.2877642440210826 within 1e-08
//! near held(2.9) = 0.42513686915243531 within 1e-08
//! near ticks(2.9) = 5 within 0
//! near tank(2.9) = 1.9361391634660376 within 1e-08
//! near x[1](2.9) = 0.84856890283689812 within 1e-08
//! check {rubato} simulate {file} --rates 1 --tolerance 1e-10 --output - --stats o >one.csv
//! check python3 -c "import json;a=json.load(open('o'));b=json.load(open('s'));assert 3*b['crossing_rows']<a['crossing_rows'], (a,b);assert b['rhs_rows']<0.8*a['rhs_rows'];assert 5*b['levels'][0]['steps']<a['steps_accepted'];assert a['events_time']==b['events_time']==6;assert 240<b['events_state']<260"
//! check python3 -c "import json;L=[json.loads(l) for l in open('t')];e=[l['event'] for l in L if 'event' in l];assert e==sorted(e) and len(e)>240"
model rates_events "Local and global events side by side"
  parameter Integer N = 12;
  parameter Integer S = 40;
  Real h[N](start = {1 + 0.05*i for i in 1:N}, each fixed = true);
  Real v[N](each start = 0, each fixed = true);
  Integer count[N](each start = 0, each fixed = true);
  discrete Real last[N](each start = 0, each fixed = true);
  Boolean high[N];
  Real x[S](start = {sin(i) for i in 1:S}, each fixed = true);
  Real q[N] "jumps with the count";
  Real w[N](each start = 0, each fixed = true);
  Real drive;
  discrete Real held(start = 0, fixed = true);
  Integer ticks(start = 0, fixed = true);
  Boolean warm(start = false, fixed = true);
  Real tank(start = 0, fixed = true);
equation
  drive = sin(time);
  for i in 1:N loop
    der(h[i]) = v[i];
    der(v[i]) = -9.81 + (if h[i] < 0.3 then -0.1*v[i] else 0);
    high[i] = h[i] > 0.5;
    q[i] = 0.1*count[i] + (if high[i] then 1 else 0);
    der(w[i]) = q[i] - w[i];
    when h[i] <= 0 then
      reinit(v[i], -0.9*pre(v[i]));
      count[i] = pre(count[i]) + 1;
      last[i] = time;
    end when;
  end for;
  for i in 1:S loop
    der(x[i]) = 0.1*((if i < S then x[min(i + 1, S)] else held) - x[i]) + 0.01*drive;
  end for;
  when sample(0.5, 0.5) then
    held = pre(held) + 0.1*x[1];
    ticks = pre(ticks) + 1;
  end when;
  when sum(w) > 6 then
    warm = true;
  end when;
  der(tank) = if warm then 1 else 0;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end rates_events;
