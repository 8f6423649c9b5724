model M
  Real x = sqrt(1, 2);
end M;
//! command check {file}
//! error T160 2:12
//! message 'sqrt' takes 1 argument, not 2
