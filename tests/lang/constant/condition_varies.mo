model M
  Real x = 1 if time > 1;
end M;
//! command check {file}
//! error F152 2:22
//! message the condition of 'x' cannot be determined when translating
