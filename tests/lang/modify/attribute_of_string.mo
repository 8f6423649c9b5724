model M
  String s(unit = "m") = "a";
end M;
//! command check {file}
//! error F130 2:12
