model M
  model A
    Real x = 1;
  end A;
  A a[3];
  Real y = a[4].x;
end M;
//! command check {file}
//! error T121 6:14
