model M
  Boolean b = !true;
end M;
//! error L101 2:15
