model M
  Real x(start = 1), v;
equation
  der(x) = v;
end M;
//! command check {file}
//! error F170 1:7
