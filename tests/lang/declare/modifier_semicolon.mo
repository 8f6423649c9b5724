model M
  A a(x = 1; y = 2);
end M;
//! error P105 2:12
