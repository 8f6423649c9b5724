model M
  Real x);
  Real y;
end M;
//! error P101 2:9
