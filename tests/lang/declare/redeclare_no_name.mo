model M
  A a(redeclare model = B);
end M;
//! error P101 2:23
