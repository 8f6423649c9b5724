model M
  Real x = 1;
  Real x = 2;
end M;
//! command check {file}
//! error F110 3:8
//! message 'x' is declared twice in 'M'
