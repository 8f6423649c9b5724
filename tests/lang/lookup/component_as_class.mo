model M
  Real x = 1;
  x y;
end M;
//! command check {file}
//! error F102 3:3
//! message 'x' is a component, not a class
