model M
  Real x, y;
equation
  der x = 1;
end M;
//! error P101 4:7
