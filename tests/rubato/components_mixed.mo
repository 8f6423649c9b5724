// Mechanics, streams and families of closed systems in one model; an array of two dimensions whose parameters and start values
// differ; a circle that a volume opens: the same as the ordinary path.
//! command simulate {file} --model Two --components --stop 0.1 --interval 0.1 --output -
//! warning D122
//! check {rubato} simulate {file} --model Two --stop 0.3 --interval 0.3 --fixed-step 1e-3 --method rk4 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Two --components --stop 0.3 --interval 0.3 --fixed-step 1e-3 --method rk4 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-9 300
//! check {rubato} simulate {file} --model Grid --stop 0.3 --interval 0.3 --fixed-step 1e-3 --method rk4 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Grid --components --stop 0.3 --interval 0.3 --fixed-step 1e-3 --method rk4 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-9 150
//! check {rubato} simulate {file} --model Loopy --stop 0.3 --interval 0.3 --fixed-step 1e-3 --method rk4 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Loopy --components --stop 0.3 --interval 0.3 --fixed-step 1e-3 --method rk4 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-9 40
//! near pipe.m_flow(0.1) = 0.96402475399 within 1e-5
model Link
  import Rubato.Planar.*;
  parameter Real m = 0.4;
  FlangeTo to;
  FlangeOn on;
  Revolute j(d = 0.1, phi(start = 0.05));
  Translation rod(r = {0.3, -0.7});
  Body body(m = m, I = 0.02);
equation
  connect(to, j.to);
  connect(j.on, rod.to);
  connect(rod.on, body.to);
  connect(rod.on, on);
end Link;
model Grid "2-D array, parameters differ"
  Rubato.Planar.Fixed fixed[2](r = {{0, 0}, {3, 1}});
  Link link[2, 3](m = {{1, 2, 3}, {4, 5, 6}}, j(phi(start = {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}})));
equation
  for i in 1:2 loop
    connect(fixed[i].on, link[i, 1].to);
    for k in 1:2 loop
      connect(link[i, k].on, link[i, k + 1].to);
    end for;
  end for;
end Grid;
model Driven
  Rubato.Planar.Fixed fixed;
  Rubato.Planar.Revolute j(torque = sin(time));
  Rubato.Planar.Body b;
  Rubato.Planar.Translation r;
equation
  connect(fixed.on, j.to);
  connect(j.on, r.to);
  connect(r.on, b.to);
end Driven;
model Loopy "pump, pipe and volume in a circle"
  import Rubato.Streams.*;
  Pump pump(dp0 = 1e3, k = 1e4, L = 10);
  Resistance pipe(k = 1e3, k2 = 0, L = 10);
  Volume volume;
equation
  connect(pump.outlet, pipe.inlet);
  connect(pipe.outlet, volume.inlet);
  connect(volume.outlet, pump.inlet);
end Loopy;
model Two "mechanics and streams at once"
  Driven d[3];
  Rubato.Planar.Fixed fixed;
  Link link[2];
  Rubato.Streams.Source source(p0 = 1.2e5);
  Rubato.Streams.Resistance pipe(k2 = 2e4, L = 1000);
  Rubato.Streams.Sink sink(p0 = 1e5);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
  connect(fixed.on, link[1].to);
  connect(link[1].on, link[2].to);
end Two;
//! long
