//! command check {file}
//! error H107 5:18
//! message the value of 'THETA' is needed here, but it has none
model M
  parameter Real THETA = 1;
  parameter Real k = THETA annotation(Evaluate = true);
  Real x = k*time;
end M;
