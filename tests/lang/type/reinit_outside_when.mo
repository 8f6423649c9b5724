model M
  Real x(start = 1);
equation
  der(x) = -x;
  reinit(x, 2);
end M;
//! command check {file}
//! error T153 5:3
