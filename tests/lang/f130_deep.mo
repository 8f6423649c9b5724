//! command check {file}
model M
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  model B
    A a;
  end B;
  B b(a(q = 2)); //! error F130
end M;
