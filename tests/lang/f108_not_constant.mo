//! command check {file}
model M
  model A
    Real x = 1;
  end A;
  Real y = A.x; //! error F108
end M;
