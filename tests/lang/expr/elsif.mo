model M
  Real x, y;
equation
  x = if true then 1 elsif false then 2 else 3;
end M;
//! error P121 4:22
