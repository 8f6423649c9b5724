model M
  String s = -"a";
end M;
//! command check {file}
//! error T141 2:14
