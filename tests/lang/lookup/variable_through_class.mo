model M
  model A
    Real x = 1;
  end A;
  Real y = A.x;
end M;
//! command check {file}
//! error F108 5:14
//! message 'x' in class 'M.A' is not a constant
