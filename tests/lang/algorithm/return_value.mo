model M
  Real x, y;
algorithm
  return x;
end M;
//! error P101 4:10
