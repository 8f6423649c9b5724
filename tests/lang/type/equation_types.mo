model M
  Real x;
  Boolean b = true;
equation
  x = b;
end M;
//! command check {file}
//! error T103 5:3
//! message Real = Boolean: types do not fit
