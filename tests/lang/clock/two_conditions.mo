model M "one condition for one base clock"
  Real x = sample(time, Clock(time > 0.5));
  Real y = x + sample(time, Clock(time > 0.6)); //! error D134
end M;
//! command check {file}
//! message another clock of another kind drives the same partition
