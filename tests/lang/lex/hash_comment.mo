model M
  # a comment
  Real x;
end M;
//! error L101 2:3
