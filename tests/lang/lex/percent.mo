model M
  Integer i = 7 % 2;
end M;
//! error L101 2:17
