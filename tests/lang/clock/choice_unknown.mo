model M "which clock it is must be known"
  Boolean late = time > 0.5;
  Clock c = if late then Clock(1, 10) else Clock(2, 10); //! error D148
  Real x = sample(time, c);
end M;
//! command check {file}
//! message the condition of a choice of clocks must be known when translating
