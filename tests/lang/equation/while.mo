model M
  Real x, y;
equation
  while x > 1 loop
    x = 1;
  end while;
end M;
//! error P119 4:3
