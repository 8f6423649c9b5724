//! command check {file}
model M
  model A
    replaceable Real x = 1;
  end A;
  model B
    extends A;
  protected
    redeclare Real x = 2; //! error F143
  end B;
  B b;
end M;
