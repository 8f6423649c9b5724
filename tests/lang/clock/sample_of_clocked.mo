model M "sample takes values that are not clocked"
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = sample(x); //! error D130
end M;
//! command check {file}
