// A subscript that leaves its array while the model runs.
//! command simulate {file} --output -
//! error R115 11:3
//! exit 3
//! message the simulation failed at time 0.75: subscript 4 of dimension 1 is outside 1 ... 3
model Subscript
  parameter Real a[3] = {1, 2, 3};
  Integer k = integer(4*time) + 1;
  Real y;
equation
  y = a[k];
end Subscript;
