model M
  model A
    outer Real u = 2;
    Real x = u;
  end A;
  inner Real u = 1;
  A a;
end M;
//! command check {file}
//! error F136 3:20
