model M
  Real x, y;
equation
  return;
end M;
//! error P119 4:3
