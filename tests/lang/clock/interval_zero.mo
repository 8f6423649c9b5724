model M
  Real x;
equation
  x = sample(time, Clock(0.0));
end M;
//! command check {file}
//! error D133 4:20
