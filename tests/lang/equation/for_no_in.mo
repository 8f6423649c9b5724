model M
  Real x, y;
equation
  for i 1:2 loop
    x = 1;
  end for;
end M;
//! error P101 4:9
