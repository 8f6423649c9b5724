//! command check {file}
model M
  model W
    parameter Real g = 9.81;
  end W;
  model A
    outer W w; //! warning F161
    Real y = w.g;
  end A;
  A a;
end M;
