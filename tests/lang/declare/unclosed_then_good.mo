model M
  Real x(start = (1 + 2;
  Real y;
  Real z;
end M;
//! error P105 2:24
