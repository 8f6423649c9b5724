model M
  Real größe;
end M;
//! error L101 2:10
