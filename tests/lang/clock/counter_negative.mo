model M "counters are larger than zero"
  Real x = sample(time, Clock(-1, 10)); //! error D133
end M;
//! command check {file}
