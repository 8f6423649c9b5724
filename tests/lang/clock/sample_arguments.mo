model M
  Real x = sample(1.0, 2.0, Clock(1)); //! error T160
  Real y = sample(); //! error T160
  Real z = sample(true, 0.1); //! error T150
end M;
//! command check {file}
