model M
  Real x, y;
equation
  x = f(function g);
end M;
//! error P101 4:19
