model M
  Real x; /* no end
end M;
//! error L103 2:11
