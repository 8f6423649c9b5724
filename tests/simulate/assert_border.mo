// Near 1 a state stands still while time, near 0.001, goes on in steps of 1e-17: the run ends at the border of
// its assertion all the same.
//! command simulate {file} --stop 2 --output r.csv
//! exit 3
//! message failed at time 0.00100050033: too small
//! stat steps_accepted < 2000
model AssertBorder
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  assert(x > 0.999, "too small"); //! error R107
end AssertBorder;
