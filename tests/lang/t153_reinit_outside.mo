//! command check {file}
model M
  Real x(start = 0);
equation
  der(x) = 1;
  reinit(x, 0); //! error T153
end M;
