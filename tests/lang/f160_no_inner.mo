//! command check {file}
model M
  partial model W
    parameter Real g = 9.81;
  end W;
  model A
    outer W w; //! error F160
    Real y = w.g;
  end A;
  A a;
end M;
