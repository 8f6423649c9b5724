model M "intervals are larger than zero"
  Real y = sample(time, Clock(1, 0)); //! error D133
end M;
//! command check {file}
