model M
  model A
    Real x = 1;
  end A;
  A a[3];
  Real y = a.x;
end M;
//! command check {file}
//! error T102 6:12
