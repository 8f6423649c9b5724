model M
  A a(each);
end M;
//! error P101 2:11
