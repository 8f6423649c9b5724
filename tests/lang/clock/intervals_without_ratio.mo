model M "Real intervals of one base clock are multiples of one"
  Real x = sample(time, Clock(0.1));
  Real y = x + sample(time, Clock(0.1234567891)); //! error D134
end M;
//! command check {file}
