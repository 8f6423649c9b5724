model M
  Real x, y;
equation
  when time > 1 then
    x = 1;
  else
    x = 2;
  end when;
end M;
//! error P114 6:3
