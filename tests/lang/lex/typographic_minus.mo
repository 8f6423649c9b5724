model M
  Real x = 3 − 4;
end M;
//! error L101 2:14
