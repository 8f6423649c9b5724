model M
  String s = "a"*2;
end M;
//! command check {file}
//! error T140 2:17
