model M
  model A
    Real x(final start = 1) = 2;
  end A;
  A a(x(start = 3));
end M;
//! command check {file}
//! error F133 5:9
