model M
  Real x, y;
equation
  x = [];
end M;
//! error P106 4:8
