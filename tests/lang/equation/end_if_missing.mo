model M
  Real x, y;
equation
  if true then
    x = 1;
  else
    x = 2;
  y = 1;
end M;
//! error P104 9:1
