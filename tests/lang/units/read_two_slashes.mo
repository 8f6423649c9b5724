//! command check {file}
//! message unit "m/s/s" cannot be read: parentheses must tell
model M
  Real x(unit = "m/s/s") = 1; //! warning T201
end M;
