model M
  Real x, y;
equation
  x = if 1 < y < 3 then 1 else 2;
end M;
//! error P110 4:16
