//! command check {file}
model M
  model B
    Real y = 1;
  end B;
  model C
    Real y = 2;
  end C;
  model A
    model Inner = B;
    Inner b;
  end A;
  A a(redeclare model Inner = C); //! error F142
end M;
