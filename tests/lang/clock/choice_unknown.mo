model M "which clock it is must be known"
  Boolean late = time > 0.5;
  Clock c = if late then Clock(1, 10) else Clock(2, 10); //! error F910
  Real x = sample(time, c);
end M;
//! command check {file}
//! message a choice of clocks that is not known while translating
