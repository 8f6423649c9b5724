//! command check {file}
//! warning D122
//! message the sides of this equation have different units: "m/s" and "m"
//! message the operands of '+' have different units: "m" and "s"
//! message the branches of 'if' have different units: "J" and "N.m/s"
model M
  Real s(unit = "m", start = 0);
  Real v(unit = "m/s");
  Real t(unit = "s") = time;
  Real e(unit = "J");
  Real p(unit = "N.m/s");
  Real w;
equation
  der(s) = v;
  v = s; //! warning T200
  w = s + t; //! warning T200 16:9
  e = 2*s;  //! warning T200
  w = if s > 1 then e else p; //! warning T200
end M;
