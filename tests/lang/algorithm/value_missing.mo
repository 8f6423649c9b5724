model M
  Real x, y;
algorithm
  x := ;
end M;
//! error P106 4:8
