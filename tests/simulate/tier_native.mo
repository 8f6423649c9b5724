// The compiler of the machine makes the code, derivatives included: a stiff oscillation.
//! environment XDG_CACHE_HOME={tmp}
//! command simulate {file} --tier 1 --output - --method radauIIA3 --tolerance 1e-8
//! near x(2) = 1.861063412 within 1e-6
//! check test -d rubato
model M
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
  Real f;
equation
  f + 1e-3*f^3 = (1 - x^2)*y;
  der(x) = y;
  der(y) = 10*f - x;
  annotation(experiment(StopTime = 2));
end M;
