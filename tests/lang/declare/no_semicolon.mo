model M
  Real x
  Real y;
end M;
//! error P102 2:9
