//! command check {file}
// a modifier is resolved where it is written, not in the class it modifies
model M
  model A
    parameter Real inside = 1;
    parameter Real k = 1;
    Real y = k;
  end A;
  A a(k = inside); //! error F100
end M;
