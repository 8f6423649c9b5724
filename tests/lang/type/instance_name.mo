model M
  String s = getInstanceName(2);
end M;
//! command check {file}
//! error T160 2:14
