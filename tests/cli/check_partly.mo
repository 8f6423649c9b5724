// What was counted is shown also where no code can be made.
//! command check {file}
//! error G101 6:13
//! output 2 equations, 2 unknowns, 0 parameters
model M
  Clock c = Clock(0.1);
  Real x = if firstTick(c) then 1 else 2;
end M;
