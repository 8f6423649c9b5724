model M
  Real x, y;
algorithm
  while x > 1
    x := 1;
  end while;
end M;
//! error P101 5:5
