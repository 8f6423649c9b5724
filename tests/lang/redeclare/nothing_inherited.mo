model M
  redeclare Real x = 1;
end M;
//! command check {file}
//! error F145 2:18
//! message no inherited element 'x' that could be redeclared
