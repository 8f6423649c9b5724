model M
  Real x, y;
equation
  x = 1;
end M;
//! command check {file}
//! error F170 1:7
//! message 'M' has 1 equation for 2 unknowns: 1 equation is missing
//! message 'y' appears in no equation
