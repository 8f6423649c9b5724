model M
  type T = Real(unit = "m");
  Real x = T;
end M;
//! command check {file}
//! error F112 3:12
