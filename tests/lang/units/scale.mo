//! command check {file}
//! message 's' and its value have different units: "s" and "min"
//! message the argument of 'sin' must be a plain number, its unit is "deg"
//! message displayUnit "K" of 'x' does not fit its unit "m"
model M
  parameter Real t(unit = "min") = 1;
  parameter Real s(unit = "s") = t; //! warning T200
  Real a(unit = "deg") = 30;
  Real b = sin(a); //! warning T200
  Real T(unit = "degC") = 20;
  Real K(unit = "K") = T; //! warning T200
  Real x(unit = "m", displayUnit = "K") = 1; //! warning T200
end M;
