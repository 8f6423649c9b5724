model M
  model A
    parameter Real p = 1;
    parameter Real q = 2;
    Real x = p + q;
  end A;
  A a(p = q);
end M;
//! command check {file}
//! error F100 7:11
