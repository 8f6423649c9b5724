model M
  model A
    Real x = 1;
  end A;
  model B
    A a;
  end B;
  model C
    extends A;
    Real y = 2;
  end C;
  B b(redeclare C a);
end M;
//! command check {file}
//! error F142 12:19
//! message 'a' cannot be redeclared: it is not replaceable
