model M
  model A
    parameter Real p = 1, q = 2;
    Real x = p + q;
  end A;
  A a(p = 1, q = 2, p = 3);
end M;
//! command check {file}
//! error F131 6:21
