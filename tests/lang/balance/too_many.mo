model M
  Real x;
equation
  x = 1;
  x = 2;
end M;
//! command check {file}
//! error F170 1:7
//! message 'M' has 2 equations for 1 unknown: 1 equation is too many
