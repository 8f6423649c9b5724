model M
  Real x "text" = 3;
end M;
//! error P101 2:17
