model M
  Real x(start = "one");
equation
  der(x) = 1;
end M;
//! command check {file}
//! error T101 2:18
//! message 'start' is Real, but its value is String
