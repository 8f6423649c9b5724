model M
  Real x, y;
equation
  x = 1 + if true then 1 else 2;
end M;
//! error P121 4:11
