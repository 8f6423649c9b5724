// Streams, component by component: one that has a solution in closed form, and one that parts and unites, whose loop
// is cut at the junction.
//! command simulate {file} --model F2 --components --stop 0.1 --interval 0.02 --tolerance 1e-11 --output -
//! warning D122
//! near A.m_flow(0.02) = 0.379912159642 within 1e-9
//! near B.m_flow(0.02) = 0.460809099317 within 1e-9
//! near A.m_flow(0.1) = 0.964017609925 within 1e-9
//! near B.m_flow(0.1) = 0.499998961183 within 1e-9
//! check {rubato} simulate {file} --model F1 --components --stop 0.05 --interval 0.05 --tolerance 1e-11 --output f1.csv --quiet --variables pipe.m_flow 2> /dev/null && python3 -c "import csv; v = float(list(csv.reader(open('f1.csv')))[-1][1]); assert abs(v - 0.761585756509) < 1e-9, v"
//! check {rubato} simulate {file} --model F2 --stop 0.1 --interval 0.1 --tolerance 1e-13 --output one.csv --quiet && {rubato} simulate {file} --model F2 --components --stop 0.1 --interval 0.1 --tolerance 1e-13 --output many.csv --quiet 2> /dev/null && {dir}/same.py one.csv many.csv 1e-6 70
model F1
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Resistance pipe(k2 = 2e4, L = 1000);
  Sink sink(p0 = 1e5);
equation
  connect(source.outlet, pipe.inlet);
  connect(pipe.outlet, sink.inlet);
end F1;
model F2
  import Rubato.Streams.*;
  Source source(p0 = 1.2e5);
  Splitter splitter;
  Resistance A(k2 = 2e4, L = 1000), B(k2 = 8e4, L = 500);
  Junction junction;
  Sink sink(p0 = 1e5);
equation
  connect(source.outlet, splitter.inlet);
  connect(splitter.a, A.inlet);
  connect(splitter.b, B.inlet);
  connect(A.outlet, junction.a);
  connect(B.outlet, junction.b);
  connect(junction.outlet, sink.inlet);
end F2;
