//! command check {file}
model M
  Integer n;
algorithm
  n := 1.5; //! error T103
end M;
