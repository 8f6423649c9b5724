model M
  parameter Integer n[n[1]] = {1};
  Real x = 1;
end M;
//! command check {file}
//! error F124 2:21
