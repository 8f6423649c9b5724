model M
  Real x = 1e999;
end M;
//! error L107 2:12
