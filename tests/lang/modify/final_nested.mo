model M
  model B
    parameter Real p = 1;
    Real x = p;
  end B;
  model A
    B b(final p = 2);
  end A;
  A a(b(p = 3));
end M;
//! command check {file}
//! error F133 9:9
