model M
  model A
    Real x = 1;
  end A;
  A a, b;
equation
  connect(a, b);
end M;
//! command check {file}
//! error T180 7:11
