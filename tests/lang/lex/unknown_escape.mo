model M
  String s = "a\d";
end M;
//! warning L105 2:16
