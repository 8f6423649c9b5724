model M
  Real x, ;
end M;
//! error P101 2:11
