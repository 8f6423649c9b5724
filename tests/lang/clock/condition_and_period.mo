model M "events or a period"
  Real x = sample(time, Clock(time > 0.5));
  Real y = x + sample(time, Clock(1, 10)); //! error D134
end M;
//! command check {file}
