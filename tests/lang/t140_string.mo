//! command check {file}
model M
  String s = "a" + 1; //! error T140
end M;
