model M
  Real x, y;
equation
  x = model;
end M;
//! error P106 4:7
