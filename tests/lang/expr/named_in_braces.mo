model M
  Real x, y;
equation
  x = {a = 1};
end M;
//! error P111 4:8
