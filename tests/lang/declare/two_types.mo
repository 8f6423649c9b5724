model M
  Real Integer x;
end M;
//! error P101 2:16
