//! command check {file}
model M
  record A
    Real x;
  end A;
  record B
    Real y;
  end B;
  A a = B(1); //! error T101
end M;
