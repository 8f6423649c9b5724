model M
  model A
    Real x(start = 0) = 1;
  end A;
  A a(x(start = 1), x(start = 2));
end M;
//! command check {file}
//! error F131 5:23
