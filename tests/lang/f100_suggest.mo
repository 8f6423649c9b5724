//! command check {file}
//! message did you mean 'speed'?
model M
  Real speed = 1;
  Real x = sped; //! error F100
end M;
