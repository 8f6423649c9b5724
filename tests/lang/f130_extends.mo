//! command check {file}
model M
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  A a(k(unti = "m") = 1); //! error F130
end M;
