// Parts that kernels cannot compute, because of events, calls and initial equations, and components that signals join to the
// rest of the model: the ordinary code answers for them. The same values, and the same events, as the ordinary path.
//! command simulate {file} --model Rest --components --stop 0.3 --interval 0.1 --tolerance 1e-8 --output -
//! warning D122
//! near opened(0.3) = 0.15 within 1e-9
//! check {rubato} simulate {file} --model Rest --stop 0.3 --interval 0.1 --tolerance 1e-9 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Rest --components --stop 0.3 --interval 0.1 --tolerance 1e-9 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 40
//! check {rubato} simulate {file} --model Branched --stop 0.1 --interval 0.1 --tolerance 1e-11 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Branched --components --stop 0.1 --interval 0.1 --tolerance 1e-11 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 50
//! check {rubato} structure {file} --model Rest --components 2> /dev/null | grep -q "^family valve: 1 instances, 1 states, .* by the ordinary code: it causes events"
//! check {rubato} structure {file} --model Rest --components 2> /dev/null | grep -q "^family of the rest: 1 instances, 4 states, .* class 3"
//! check {rubato} simulate {file} --model Squared --components --output x.csv 2>&1 | grep -q "C103: an equation of 'odd' cannot be computed instance by instance: it is not linear in what is implicit"
//! check {rubato} simulate {file} --model Noted --stop 0.2 --interval 0.2 --fixed-step 1e-3 --method rk4 --output one.csv --quiet 2> /dev/null && {rubato} simulate {file} --model Noted --components --stop 0.2 --interval 0.2 --fixed-step 1e-3 --method rk4 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-9 25
//! check {rubato} simulate {file} --model Rest --components --stop 0.1 --output x.csv 2> /dev/null | grep -q ": 0.1 s in .*, 7 states, "
function friction "A call that is not inlined"
  input Real m;
  output Real dp;
protected
  Real a;
algorithm
  a := 0;
  for i in 1:3 loop
    a := a + abs(m)/3;
  end for;
  dp := -2e4*m*a;
end friction;
model Valve "Opens when the mass flow has grown"
  extends Rubato.Streams.Pipe(L = 1000);
  Boolean open(start = false, fixed = true);
equation
  when m_flow > 0.5 then
    open = true;
  end when;
  dp = (if open then 0.5 else 1)*friction(m_flow);
  outlet.h = inlet.h;
end Valve;
model Driven "Its pressure is a signal, its temperature follows slowly"
  extends Rubato.Streams.Pipe(L = 10);
  input Real gain;
  Real h(start = 0);
initial equation
  h = inlet.h + 1e3;
equation
  dp = gain;
  der(h) = 10*(inlet.h - h);
  outlet.h = h;
end Driven;
model Rest
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Driven pump(gain = 1e3*control);
  Valve valve;
  Sink sink(p0 = 1e5);
  Real control(start = 0, fixed = true) "Of what leaves the valve";
  discrete Real opened(start = 0, fixed = true);
  Real level(start = 1, fixed = true);
equation
  der(control) = 5*(1 - pump.m_flow) - control;
  der(level) = -pump.outlet.h*1e-6;
  when time >= 0.15 then
    opened = time;
  end when;
  connect(source.outlet, pump.inlet);
  connect(pump.outlet, valve.inlet);
  connect(valve.outlet, sink.inlet);
end Rest;
model Branched "A loop through a splitter and a junction with such parts in it"
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Splitter splitter;
  Valve a;
  Resistance b(k2 = 8e4, L = 500);
  Junction junction;
  Sink sink(p0 = 1e5);
  Real total = a.m_flow + b.m_flow;
equation
  connect(source.outlet, splitter.inlet);
  connect(splitter.a, a.inlet);
  connect(splitter.b, b.inlet);
  connect(a.outlet, junction.a);
  connect(b.outlet, junction.b);
  connect(junction.outlet, sink.inlet);
end Branched;
model Odd "Not linear in the inertial pressure"
  Rubato.Streams.Inlet inlet;
  Rubato.Streams.Outlet outlet;
  Real m_flow = inlet.m_flow;
  Real dp = outlet.p - inlet.p;
  Real lost;
equation
  inlet.m_flow + outlet.m_flow = 0;
  outlet.r = inlet.r - 1e-9*lost - 0.01*der(inlet.m_flow);
  lost = inlet.r^2;
  outlet.h = inlet.h;
  dp = friction(m_flow);
end Odd;
model Squared
  import Rubato.Streams.*;
  Source source;
  Odd odd;
  Sink sink;
equation
  connect(source.outlet, odd.inlet);
  connect(odd.outlet, sink.inlet);
end Squared;
model Noted "An event that no derivative needs"
  import Rubato.Streams.*;
  Source source;
  Resistance pipe(L = 1000);
  Sink sink;
  discrete Real at(start = 0, fixed = true);
equation
  when time >= 0.1 then
    at = time;
  end when;
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end Noted;
//! long
