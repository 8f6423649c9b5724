model M
  A a{x = 1};
end M;
//! error P101 2:6
