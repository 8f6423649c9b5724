model M
  Real x, y;
equation
  x = if true then 1 else if false then 2;
end M;
//! error P121 4:42
