//! command check {file}
model M
  constant Real c = 1;
  Real x;
algorithm
  c := 2; //! error T176
  x := 1;
end M;
