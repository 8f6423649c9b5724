model M
  Real x, y;
equation
  x = if true then 1;
end M;
//! error P121 4:21
