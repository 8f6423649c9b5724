model M
  model A
    outer parameter Real g(min = 0);
    Real x = g;
  end A;
  inner parameter Real g = 9.81;
  A a;
end M;
//! command check {file}
//! error F136 3:28
