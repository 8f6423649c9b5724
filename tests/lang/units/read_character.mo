//! command check {file}
//! message unit "m*s" cannot be read: this is no part of a unit
model M
  Real x(unit = "m*s") = 1; //! warning T201
end M;
