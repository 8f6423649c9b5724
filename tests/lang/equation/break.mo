model M
  Real x, y;
equation
  break;
end M;
//! error P119 4:3
