// Relays with a fold each switch heaters on one supply. A large step ends where a heater that has just
// switched makes others leave its polynomials; relays on which Newton's iteration would fail rest in it. Every relay
// needs the supply's row of all rooms: levels take half the steps of states, but more equations, and auto stays with
// one rate. With 80 rooms the supply's row reads 161 states and is corrected at the end of large steps, until these have
// often been refused for that; then it is watched in small steps (without: 0.96 of one rate's steps of states; 0.38 if
// steps do not end where several join a cluster with the supply).
//! command simulate {file} --rates 2 --tolerance 1e-7 --stop 700 --output -
//! stat state_steps < 40000
//! check for r in 1 auto 2; do {rubato} simulate {file} --rates $r --tolerance 1e-7 --stop 700 --intervals 50 --quiet --output $r.csv --stats $r.json || exit 1; done; for r in auto 2; do {rubato} compare $r.csv 1.csv --tolerance 1e-3 > out || { tail -3 out; exit 1; }; done; python3 -c "import json;a,b,c=(json.load(open(f+'.json')) for f in ('auto','2','1'));assert b['state_steps']<=0.6*c['state_steps'],(b,c);assert a['rhs_rows']<=1.02*min(b['rhs_rows'],c['rhs_rows']),(a,b,c)"
//! check for r in 1 2; do {rubato} simulate {file} --set N=80 --rates $r --tolerance 1e-7 --stop 100 --intervals 50 --quiet --output w$r.csv --stats w$r.json || exit 1; done; {rubato} compare w2.csv w1.csv --tolerance 1e-3 > out || { tail -3 out; exit 1; }; python3 -c "import json;b,c=(json.load(open(f+'.json')) for f in ('w2','w1'));assert b['state_steps']<=0.32*c['state_steps'],(b,c)"
model rates_folds "Rooms on one supply, each with a relay that is bistable"
  parameter Integer N = 24;
  Real s(start = 60, fixed = true) "Supply";
  Real y[N](start = {20 + 0.9*sin(7*i) for i in 1:N}, each fixed = true) "Rooms";
  Real r[N](start = {if mod(i, 2) == 0 then 0.5 else -0.5 for i in 1:N}, each fixed = true) "Relays";
  Real q[N] "Heat";
equation
  40*N*der(s) = 20*N*tanh(60 - s) - sum(q);
  for i in 1:N loop
    q[i] = 0.5*(s - y[i])*(1 + tanh(30*r[i]));
    (500 + 400*sin(3*i))*der(y[i]) = 0.1*q[i] - 0.1*(y[i] - 2);
    der(r[i]) = 50*(r[i] - 4*r[i]^3 + 0.2*(20 - y[i]));
  end for;
  annotation(experiment(StopTime = 2000));
end rates_folds;
