model M
  Real k = 2;
  Real x = k(1);
end M;
//! command check {file}
//! error F112 3:12
//! message 'k' is a component, not a function
