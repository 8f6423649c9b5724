model M
  Real x;
algorithm
  x := 0;
  while x loop
    x := x + 1;
  end while;
end M;
//! command check {file}
//! error T112 5:9
