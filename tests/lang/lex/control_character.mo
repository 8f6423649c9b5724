model M
  Real x = 3 ;
end M;
//! error L101 2:14
