model M
  String s = String({1, 2});
end M;
//! command check {file}
//! error T150 2:21
