model M "what makes a clock tick is not clocked, intervals that vary are"
  Real x = sample(time, Clock(1, 10)), y;
equation
  y = sample(time, Clock(x > 0.5)); //! error D130
end M;
//! command check {file}
