//! command check {file}
model M
  model A
    Real y = 1;
  end A;
  Real x = A(1); //! error F112
end M;
