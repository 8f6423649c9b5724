model M
  model A
    model B
      Real x = 1;
    end B;
    B b;
  end A;
  model C
    Real x = 2;
  end C;
  A a(redeclare model B = C);
end M;
//! command check {file}
//! error F142 11:23
