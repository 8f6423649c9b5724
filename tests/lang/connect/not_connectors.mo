model M
  Real x = 1, y = 2;
equation
  connect(x, y);
end M;
//! command check {file}
//! error T180 4:11
//! message 'x' is not a connector
