model M
  Real x[3][4];
end M;
//! error P101 2:12
