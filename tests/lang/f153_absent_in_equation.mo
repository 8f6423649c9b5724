//! command check {file}
model M
  parameter Boolean use = false;
  model A
    Real u = 1;
  end A;
  A a if use;
  Real y;
equation
  y = a.u; //! error F153
end M;
