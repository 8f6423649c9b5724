model M
  Real x, y;
equation
  if true then
    x = 1;
  end for;
  y = 2;
end M;
//! error P116 6:7
