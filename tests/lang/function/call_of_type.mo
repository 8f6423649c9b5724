model M
  type T = Real;
  Real x = Boolean(1);
end M;
//! command check {file}
//! error F112 3:12
