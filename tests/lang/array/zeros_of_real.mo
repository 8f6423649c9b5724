model M
  Real x[2] = zeros(2.0);
end M;
//! command check {file}
//! error T150 2:21
