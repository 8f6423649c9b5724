// --set changes a parameter, and what depends on it, without a new translation.
//! command simulate {file} --set k=3 --output - --intervals 10
//! near y(1) = 9 within 1e-12
//! near x(1) = 3 within 1e-6
model M
  parameter Real k = 1;
  parameter Real q = k^2;
  Real y = q*time;
  Real x(start=0, fixed=true);
equation
  der(x) = k;
end M;
