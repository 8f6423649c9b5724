//! command check {file}
model M
  model A
    replaceable Real x = 1;
  end A;
  model B
    extends A(redeclare model x = A); //! error F141
  end B;
  B b;
end M;
