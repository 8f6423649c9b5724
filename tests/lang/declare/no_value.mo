model M
  Real x = ;
end M;
//! error P106 2:12
