//! command check {file}
model M
  model A
    Real x = 1;
  end A;
  model B
  protected
    Real x = 1;
  end B;
  model C
    extends A;
    extends B; //! error F114
  end C;
  C c;
end M;
