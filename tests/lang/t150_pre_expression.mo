//! command check {file}
model M
  Real x = time;
  Real y = pre(2*x); //! error T150
end M;
