model M
  Boolean b = true & false;
end M;
//! error L101 2:20
