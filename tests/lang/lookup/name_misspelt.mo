model M
  Real voltage = 1;
  Real y = 2*voltag;
end M;
//! command check {file}
//! error F100 3:14
//! message did you mean 'voltage'?
