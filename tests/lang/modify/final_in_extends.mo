model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  model B
    extends A(final p = 3);
  end B;
  B b(p = 4);
end M;
//! command check {file}
//! error F133 9:7
