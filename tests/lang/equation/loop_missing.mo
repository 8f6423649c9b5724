model M
  Real x, y;
equation
  for i in 1:2
    x = 1;
  end for;
end M;
//! error P101 5:5
