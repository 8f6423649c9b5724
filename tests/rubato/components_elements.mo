// One outlet of an array of outlets belongs to the rest of the model together with its sink, the others do not: only these have
// triplets to neighbours. And a component that inverts its inlet is initialised with what its neighbour gives, because with a
// usual pressure its equation has no solution.
//! command check {file} --model Fan --components
//! warning D122
//! check {rubato} simulate {file} --model Fan --stop 0.2 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Fan --components --stop 0.2 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 40
//! check {rubato} simulate {file} --model Inverse --stop 0.2 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Inverse --components --stop 0.2 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 15
model SplitterN
  import Rubato.Streams.*;
  parameter Integer n = 3;
  Inlet inlet;
  Outlet outlet[n];
  Real r;
equation
  0.01*der(inlet.m_flow) = inlet.r - r;
  for i in 1:n loop
    0.01*der(outlet[i].m_flow) = outlet[i].r - r;
    outlet[i].p = inlet.p;
    outlet[i].h = inlet.h;
  end for;
  sum(outlet.m_flow) + inlet.m_flow = 0;
end SplitterN;

model Fan
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Resistance pipe(k2 = 2e4, L = 1000);
  SplitterN splitter(outlet(m_flow(each start = 0)));
  Sink a(p0 = 1e5), b(p0 = 1.1e5), c(p0 = 1e5, L = 0);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, splitter.inlet);
  connect(splitter.outlet[2], a.inlet);
  connect(splitter.outlet[3], b.inlet);
  connect(splitter.outlet[1], c.inlet);
end Fan;

model Inverse
  import Rubato.Streams.*;
  model Gauge
    extends Sink;
    Real x(start = 1) "Only above 1.1 bar";
  equation
    x^2*(1 + 0.1*sin(x)) = (inlet.p - 1.1e5)/1e4;
  end Gauge;
  Source source(p0 = 1.2e5, outlet(m_flow(start = 0, fixed = true)));
  Gauge gauge(p0 = 1.15e5);
equation
  connect(source.outlet, gauge.inlet);
end Inverse;
