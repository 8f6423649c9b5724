model M
  Real @x;
end M;
//! error L101 2:8
