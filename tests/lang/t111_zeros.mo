//! command check {file}
model M
  parameter Integer n = -2;
  Real x = sum(zeros(n)); //! error T111
end M;
