//! command check {file}
model M
  Real x;
  Real y;
equation
  connect(x, y); //! error T180
end M;
