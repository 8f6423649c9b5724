//! command check {file}
model M
  Real x = atan2(1); //! error T160
end M;
