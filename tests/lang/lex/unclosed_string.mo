model M
  String s = "abc;
end M;
//! error L102 2:14
