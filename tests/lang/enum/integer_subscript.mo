model M
  type A = enumeration(a, b);
  Real x[A] = {1, 2};
  Real y = x[1];
end M;
//! command check {file}
//! error T124 4:14
//! message dimension of 'x' is the enumeration 'M.A'
