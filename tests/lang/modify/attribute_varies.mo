model M
  Real y = time;
  Real x(max = y) = 2;
end M;
//! command check {file}
//! error T104 3:16
//! message 'max' must not vary, this does
