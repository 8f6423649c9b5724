model M
  Real '';
end M;
//! error L110 2:8
