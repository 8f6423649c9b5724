model M
  parameter Real p = 2;
  model A
    Real x = p;
  end A;
  A a;
end M;
//! command check {file}
//! error F128 4:14
