model M
  Real x, y;
equation
  parameter Real p = 1;
  x = 1;
end M;
//! error P125 4:3
