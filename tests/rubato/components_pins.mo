// Pins that cannot join the rest of the model, because they or their neighbours are arrays: their forces are unknowns of the
// network. The same as the ordinary path, in numbers and in sweeps: loops that do not act on each other are solved at once.
//! command check {file} --model Loops --components
//! check {rubato} structure {file} --model Loops --components | grep -A3 "family pin: 3 instances, 0 states, 416 bytes an instance, 2 equations aside, class 6" | grep -q "tied by 2"
//! check {rubato} simulate {file} --model Bars --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Bars --components --instances 1,2,3 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 200
//! check {rubato} simulate {file} --model Loops --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Loops --components --instances 1,2,3 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 600
//! check {rubato} simulate {file} --model Ladder --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Ladder --components --instances 1,2,3 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 600
// A pin that changes at an event is computed by the ordinary code, and so is one that the model looks at.
//! check {rubato} simulate {file} --model Eventful --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Eventful --components --instances 1,2,3 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 200
//! check {rubato} structure {file} --model Eventful --components | grep -q "family of the rest: 1 instances, 1 states, 424 bytes an instance, 2 equations aside, by the ordinary code: it causes events"
// Sinks without inertance do not say how their mass flow changes.
//! check {rubato} simulate {file} --model Lines --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Lines --components --instances 1,2,3 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 20
// Forces that no equation at all determines, and forces that act not linearly, have no place in a linear system.
//! check {rubato} check {file} --model Slack --components 2>&1 | grep -q "error C117: 'loose' has no answer of its own, and 'tight', which would have to join the rest of the model with it, is an array"
//! check {rubato} check {file} --model Squared --components 2>&1 | grep -q "error C103: an equation of 'pin' cannot be computed instance by instance: it is not linear in what is implicit"
partial model Ground
  import Rubato.Planar.*;
  Fixed left, right(r = {2.2, 0.2});
  Revolute j[3];
  Body body[3](each m = 1);
  Translation rod[3](r = {{0.3, 0.8}, {1.5, 0.4}, {-0.4, 1}});
equation
  connect(left.on, j[1].to);
  connect(j.on, rod.to);
  connect(rod[1].on, j[2].to);
  connect(right.on, j[3].to);
  connect(rod.on, body.to);
end Ground;

model Bars
  extends Ground;
  Rubato.Planar.Pin pin;
equation
  connect(rod[2].on, pin.a);
  connect(rod[3].on, pin.b);
end Bars;

model Loops "Each of unequal bodies"
  import Rubato.Planar.*;
  parameter Integer n = 3;
  Fixed left[n], right[n](each r = {2.2, 0.2});
  Revolute a[n], b[n], c[n];
  Translation crank[n](each r = {0.3, 0.8}), coupler[n](each r = {1.5, 0.4}), rocker[n](each r = {-0.4, 1});
  Body m1[n](m = {1 + k/n for k in 1:n}), m2[n](each m = 1), m3[n](each m = 1);
  Pin pin[n];
equation
  connect(left.on, a.to);
  connect(a.on, crank.to);
  connect(crank.on, m1.to);
  connect(crank.on, b.to);
  connect(b.on, coupler.to);
  connect(coupler.on, m2.to);
  connect(right.on, c.to);
  connect(c.on, rocker.to);
  connect(rocker.on, m3.to);
  connect(coupler.on, pin.a);
  connect(rocker.on, pin.b);
end Loops;

model Ladder "Rungs between two chains: each pin acts on all others"
  import Rubato.Planar.*;
  parameter Integer n = 3;
  Fixed left, right(r = {1, 0});
  Revolute a[n](each d = 0.1), c[n](each d = 0.1), s[n];
  Translation up[n](each r = {0, 1}), down[n](each r = {0, 1}), rung[n](each r = {1, 0});
  Body m[n](each m = 1), w[n](each m = 0.7), o[n](each m = 0.2, each I = 0.01);
  Pin pin[n];
equation
  connect(left.on, a[1].to);
  connect(right.on, c[1].to);
  for k in 1:n - 1 loop
    connect(up[k].on, a[k + 1].to);
    connect(down[k].on, c[k + 1].to);
  end for;
  connect(a.on, up.to);
  connect(c.on, down.to);
  connect(up.on, m.to);
  connect(down.on, w.to);
  connect(up.on, s.to);
  connect(s.on, rung.to);
  connect(rung.on, o.to);
  connect(rung.on, pin.a);
  connect(down.on, pin.b);
end Ladder;

model Eventful
  extends Ground;
  Rubato.Planar.Pin pin;
  Real x(start = 0, fixed = true);
equation
  der(x) = (if time > 0.15 then 1 else 2)*pin.gap[1];
  connect(rod[2].on, pin.a);
  connect(rod[3].on, pin.b);
end Eventful;

model Lines
  import Rubato.Streams.*;
  parameter Integer n = 3;
  Source source[n](each p0 = 1.2e5);
  Resistance pipe[n](each k2 = 2e4, L = {1000*k for k in 1:n});
  Sink sink[n](each p0 = 1e5, each L = 0);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Lines;

model Loose "Two unknown forces"
  Rubato.Planar.FlangeTo to;
equation
  to.tau = 0;
end Loose;
model Tight "Two equations too many"
  Rubato.Planar.FlangeTo to;
equation
  to.v = {0, 0};
  to.f = {0, 0};
  to.tau = 0;
end Tight;
model Slack
  extends Ground;
  Loose loose[3];
  Tight tight[3];
equation
  connect(rod.on, loose.to);
  connect(rod.on, tight.to);
end Slack;

model Squared "Its second force is the square of the first"
  extends Ground;
  model Odd
    Rubato.Planar.FlangeTo a, b;
  equation
    der(a.v) = der(b.v);
    b.f = {-a.f[1]^2, -a.f[2]};
    a.tau = 0;
    b.tau = 0;
  end Odd;
  Odd pin[1];
equation
  connect(rod[2].on, pin[1].a);
  connect(rod[3].on, pin[1].b);
end Squared;
