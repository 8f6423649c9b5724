//! command check {file}
model M
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  A a[3](k = {1, 2}); //! error T102
end M;
