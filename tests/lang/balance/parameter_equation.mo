model M
  parameter Real p = 1;
  Real x = 2;
equation
  p = 3;
end M;
//! command check {file}
//! error F175 5:3
//! message no unknown
