//! command check {file}
model M
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  A a(k = q); //! error F100
end M;
