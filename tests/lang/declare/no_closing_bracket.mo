model M
  Real x[3;
end M;
//! error P105 2:11
