model M
  Real x(3);
end M;
//! error P101 2:10
