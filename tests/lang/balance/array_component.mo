model M
  model A
    Real x, y;
  equation
    x = 1;
  end A;
  A a[3];
end M;
//! command check {file}
//! error F170 1:7
//! message 3 equations are missing
