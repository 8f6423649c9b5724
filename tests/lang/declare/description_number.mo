model M
  Real x "a" + 3;
end M;
//! error P101 2:16
