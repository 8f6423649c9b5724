model M
  Real x = time > 1 ? 2 : 3;
end M;
//! error L101 2:21
