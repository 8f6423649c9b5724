//! command check {file}
//! message unit "m/(s.kg" cannot be read: ')' is missing
model M
  Real x(unit = "m/(s.kg") = 1; //! warning T201
end M;
