model M
  Real x, y;
equation
  if true then
    x = 1;
  else
    x = 2;
  else
    x = 3;
  end if;
end M;
//! error P114 8:3
