model M
  model A
    replaceable model B
      Real z = 1;
    end B;
    B b;
  end A;
  model A2
    extends A(final B(z = 2));
  end A2;
  model C
    Real z = 3;
  end C;
  A2 a(redeclare model B = C);
end M;
//! command check {file}
//! error F133 14:24
