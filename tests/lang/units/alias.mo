//! command check {file}
// Units come through aliases, redeclared modifiers, arrays and records.
model M
  type Speed = Real(unit = "m/s");
  type Fast = Speed(min = 1);
  record R
    Fast v[3];
    Real f(unit = "Hz");
  end R;
  R r(v = {1, 2, 3}*k, f = 1/t);
  parameter Real k(unit = "km/s") = 1;
  parameter Real t(unit = "ms") = 1;
  Real x[3](each unit = "m/s") = r.v;
  Real z[3](unit = {"m", "s", "K"}) = r.v; // different units of elements: not compared
  Real y[3](each unit = "m") = r.v; //! warning T200
  Real w(unit = "kHz") = r.f; //! warning T200
end M;
