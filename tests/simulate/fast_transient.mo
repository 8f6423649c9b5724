// At t = 0.5 the state falls within a microsecond to a new level and then follows it slowly. Output
// points after the fall must lie on that level, however long the next step is.
//! command simulate {file} --output - --stop 1 --intervals 100
//! near x(0.51) = 0.001 within 2e-6
//! near x(0.6) = 0.00109 within 2e-6
//! near x(0.9) = 0.00139 within 2e-6
model FastTransient
  Real x(start = 0.00104, fixed = true);
equation
  der(x) = if time < 0.5 then 0 else 1e6*(0.001 + 0.001*(time - 0.51) - x);
end FastTransient;
