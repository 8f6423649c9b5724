model M
  Integer i = 1;
  Real x = der(i);
end M;
//! command check {file}
//! error T150 3:16
//! message 'der' needs a continuous variable
