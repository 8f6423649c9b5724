model M
  Real 'x;
  Real y;
end M;
//! error L104 2:8
