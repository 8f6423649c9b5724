model M
  Integer i(nominal = 1) = 1;
end M;
//! command check {file}
//! error F130 2:13
