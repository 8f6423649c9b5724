model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  A a(p = pp);
end M;
//! command check {file}
//! error F100 6:11
