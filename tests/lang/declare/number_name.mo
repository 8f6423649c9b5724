model M
  Real 2;
end M;
//! error P101 2:8
