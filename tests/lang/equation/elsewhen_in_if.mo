model M
  Real x, y;
equation
  if true then
    x = 1;
  elsewhen false then
    x = 2;
  end if;
end M;
//! error P114 6:3
