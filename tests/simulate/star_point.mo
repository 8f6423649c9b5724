// The mean of currents whose sum is zero is zero: it is no state, though both equations could be
// solved for something. Two fluxes in a machine with five phases at a star point.
//! command simulate {file} --model M --stop 1 --intervals 1 --tolerance 1e-8 --output -
//! near a(1) = 0.8484250535 within 1e-6
//! near b(1) = 0.0654039915 within 1e-6
//! near mean(1) = 0 within 1e-12
//! stat states = 2
model M
  constant Integer m = 5;
  constant Real c[m] = {1, 0.3, -0.8, -0.8, 0.3};
  constant Real s[m] = {0, 0.95, 0.6, -0.6, -0.95};
  parameter Real u[m] = {1, 0.5, -1, -0.7, 0.1};
  parameter Real L0 = 0.1;
  Real a(start = 0, fixed = true), b(start = 0, fixed = true);
  Real i[m], mean, v0, star;
equation
  a = sum(c[k]*i[k] for k in 1:m);
  b = sum(s[k]*i[k] for k in 1:m);
  mean = sum(i)/m;
  v0 = L0*der(mean);
  sum(i) = 0;
  for k in 1:m loop
    u[k] - star - i[k] = c[k]*der(a) + s[k]*der(b) + v0;
  end for;
end M;
