model M
  Real ;
end M;
//! error P101 2:8
