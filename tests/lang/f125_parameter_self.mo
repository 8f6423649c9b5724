//! command check {file}
model M
  parameter Integer n = n + 1; //! error F125
  Real x[n] = ones(n);
end M;
