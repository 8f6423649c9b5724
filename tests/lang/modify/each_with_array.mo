model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  A a[3](each p = {1, 2, 3});
end M;
//! command check {file}
//! error T102 6:19
