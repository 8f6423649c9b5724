//! command check {file}
//! message unit "meters" cannot be read: this symbol is not known
model M
  Real x(unit = "meters") = 1; //! warning T201
end M;
