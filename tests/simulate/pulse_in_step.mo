// Stiff states that follow pulses of time. The error estimate of a fully implicit step is filtered twice at a transient; what
// happens later in the step must be seen: filtered as well, b was 14 tolerances off and half as many at w = 80.85.
//! command simulate {file} --tolerance 1e-7 --stop 5 --output -
//! near b(5) = 0.0053354756907119816 within 1.5e-7
//! check {rubato} simulate {file} --set w=80.85 --tolerance 1e-7 --stop 5 --quiet --output r.csv && python3 -c "import csv;b=float(list(csv.DictReader(open('r.csv')))[-1]['b']);assert abs(b-0.0053580432001263502)<1.5e-7,b"
model PulseInStep
  parameter Real w = 100;
  Real p(start = 0, fixed = true);
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), s[12](each start = 1,
    each fixed = true);
equation
  der(p) = 3000*((0.5 + 0.5*sin(w*time))^20 - p);
  der(a) = -5.94e4*(a - b) + 0.1347*p;
  der(b) = -3984*(b - a);
  for i in 1:12 loop
    der(s[i]) = -0.3*i*s[i];
  end for;
end PulseInStep;
