model M
  Real x, y;
equation
  x := 1;
end M;
//! error P107 4:5
