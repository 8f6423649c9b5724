model M
  Real x = sinn(1);
end M;
//! command check {file}
//! error F111 2:12
//! message did you mean 'sin'?
