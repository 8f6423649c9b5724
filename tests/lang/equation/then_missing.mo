model M
  Real x, y;
equation
  if true
    x = 1;
  end if;
end M;
//! error P101 5:5
