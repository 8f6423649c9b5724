//! command check {file}
model M
  model A
    model B
      Real y = 1;
    end B;
    B b;
  end A;
  model C
    extends A;
    redeclare model B //! error F142
      Real y = 2;
    end B;
  end C;
  C c;
end M;
