// Inputs at top level keep their start values, which may be those of parameters.
//! command simulate {file} --set p=0.7 --output - --stop 1
//! near u(1) = 0.7 within 0
//! near y(1) = 3.4 within 1e-12
//! near z(1) = 2.5 within 1e-12
model M
  parameter Real p = 0.3;
  input Real u(start = p);
  input Integer n(start = 2);
  input Real w(start = 2.5);
  Real y = 2*u + n;
  Real z = w;
end M;
