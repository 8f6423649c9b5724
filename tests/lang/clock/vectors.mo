model M "clocks are no values to compare, and no vectors of conditions"
  Clock a = Clock(1), b = Clock(2), c[2] = Clock({1, 2}, 10); //! error T102
  Boolean same = a == b; //! error T140
  Real x;
equation
  when {a, b} then //! error T112
    x = 1;
  end when;
end M;
//! command check {file}
//! message a condition must be Boolean, this is Clock[2]
