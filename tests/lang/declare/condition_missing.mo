model M
  Real x if ;
end M;
//! error P106 2:13
