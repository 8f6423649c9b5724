model M
  Real x, y;
equation
  x = f(function g(1));
end M;
//! error P111 4:9
