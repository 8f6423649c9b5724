//! command check {file}
model M
  Real a;
  Real b;
equation
  (a, b) = 1; //! error T171
end M;
