model M
  Boolean b = 1 != 2;
end M;
//! error L101 2:17
