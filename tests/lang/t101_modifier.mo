//! command check {file}
model M
  model A
    parameter Integer n = 1;
    Real y = n;
  end A;
  A a(n = 2.5); //! error T101
end M;
