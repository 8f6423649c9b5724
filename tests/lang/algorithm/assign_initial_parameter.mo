model M
  parameter Real p = 1;
  Real x = p;
initial algorithm
  p := 2;
end M;
//! command check {file}
//! error T176 5:3
//! message fixed = false
