model M
  Real x y;
end M;
//! error P101 2:10
