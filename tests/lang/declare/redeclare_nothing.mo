model M
  A a(redeclare );
end M;
//! error P101 2:17
