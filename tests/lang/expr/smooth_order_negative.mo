// The order of smooth is not negative, and homotopy has two arguments.
//! command check {file}
model M
  Real x = smooth(-1, time); //! error T150
  Real y = homotopy(time); //! error T160
  Real z = smooth(0, homotopy(time, 1));
end M;
