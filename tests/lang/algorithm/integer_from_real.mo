model M
  Integer n;
algorithm
  n := 2.5;
end M;
//! command check {file}
//! error T103 4:3
