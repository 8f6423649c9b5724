//! command check {file}
model M
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  A a(k = 2, k = 3); //! error F131
end M;
