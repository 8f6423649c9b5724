model M
  Real x, y;
equation
  if 1 + then
    x = 1;
  end if;
  y = 2;
end M;
//! error P106 4:10
