model M
  type Length = Real(units = "m");
  Length x = 1;
end M;
//! command check {file}
//! error F130 2:22
//! message did you mean 'unit'?
