//! command check {file}
//! message did you mean 'angle'?
model M
  model A
    Real angle = 1;
  end A;
  A a;
  Real x = a.angel; //! error F106
end M;
