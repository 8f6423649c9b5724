model M
  String s = 3;
end M;
//! command check {file}
//! error T101 2:14
//! message 's' is String, but its value is Integer
