model M
  Integer i = 0xff;
end M;
//! error L106 2:15
