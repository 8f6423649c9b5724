model M
  Real x, y;
equation
  x = end;
end M;
//! error P122 4:7
