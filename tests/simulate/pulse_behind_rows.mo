// The formula of a hidden pulse is found behind rows that are computed where they are taken: their equations stood after all
// others, so that the search for an equation by its number gave another group, at times one beyond the program.
//! command simulate {file} --output - --quiet
//! near q(10) = 0.0017724538509055 within 2e-6
//! near x[12](10) = 8.6466471676338731 within 1e-4
model pulse_behind_rows
  parameter Real w = 0.001 "width";
  Real x[12](each start = 0, each fixed = true), a[12], b[12], q(start = 0, fixed = true);
  Real c, d, e, h, p, r;
equation
  for i in 1:12 loop
    a[i] = (i - 2)*time/1e9 + 10 - x[i];
    b[i] = a[i]/5;
    der(x[i]) = b[i];
  end for;
  c = sin(x[1]);
  d = cos(x[2]);
  h = exp(-x[3]);
  e = sin(d) + c*h;
  p = exp(-((time - 5.137)/w)^2) + 1e-30*e;
  r = sin(p);
  der(q) = p + 1e-30*r;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end pulse_behind_rows;
