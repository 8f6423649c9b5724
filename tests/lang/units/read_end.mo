//! command check {file}
//! message unit "m." cannot be read: a unit is missing
model M
  Real x(unit = "m.") = 1; //! warning T201
end M;
