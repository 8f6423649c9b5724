//! command check {file}
model M
  Real A[2, 3] = zeros(2, 3);
  Real x[2] = A*{1, 2}; //! error T140
end M;
