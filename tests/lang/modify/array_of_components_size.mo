model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  A a[3](p = {1, 2});
end M;
//! command check {file}
//! error T102 6:14
//! message 'p' is Real[3], but its value is Integer[2]
