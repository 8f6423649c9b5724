model M
  Real x, y;
equation
  x = f(a = 1, 2);
end M;
//! error P111 4:16
