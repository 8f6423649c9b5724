model M
  Real x, y;
equation
  x = 1;
  end if;
  y = 2;
end M;
//! error P116 5:3
