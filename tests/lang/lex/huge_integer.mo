model M
  Integer i = 99999999999999999999;
end M;
//! error L107 2:15
