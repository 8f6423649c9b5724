model M
  type Angle = Real(final unit = "rad");
  Angle phi(unit = "deg") = 1;
end M;
//! command check {file}
//! error F133 3:13
