model M
  Real x, y;
algorithm
  connect(a, b);
end M;
//! error P119 4:3
