//! command check {file}
//! output 14 equations, 14 unknowns
// No warning: everything fits, or is not known.
model M
  type Length = Real(final quantity = "Length", final unit = "m", displayUnit = "mm");
  type Mass = Real(unit = "kg");
  parameter Mass m = 2;
  constant Real g(unit = "m/s2") = 9.81;
  Length h(start = 1, fixed = true);
  Real v(unit = "m/s");
  Real E(unit = "J") = m*g*h + 0.5*m*v^2;
  Real P(unit = "W") = der(E);
  Real F(unit = "kN") = m*g/1000;
  Real T(unit = "K") = 300;
  Real C(unit = "degC") = T - 273.15;
  Real K(unit = "K") = C + T0;
  constant Real T0(unit = "K") = 273.15;
  Real r(unit = "m") = sqrt(h*h);
  Real R(unit = "W/(m2.K4)") = P/(h^2*T^4);
  Real y = h + v*time + 7.5;
  Real a(unit = "rad") = atan2(h, r);
  Real n(unit = "mol/l") = 1000*q;
  Real q(unit = "mol/m3") = 2;
equation
  der(h) = v;
  v = noEvent(if h > 0 then -3.7 else 0);
end M;
