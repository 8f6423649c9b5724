// Equations without a solution: the rows that are farthest off, and where the iteration ended.
//! command simulate {file} --output -
//! error R102 12:3
//! exit 3
//! message the nonlinear system of 2 equations for 'x', 'y' has no solution
//! message off by 3.51: x^2 + y^2 = -1.0
//! message iteration variable x: start = 1; the iteration ended at 1.12
//! message what to try: another start value for 'y'
model NoSolution
  Real x(start=1), y(start=2);
equation
  x^2 + y^2 = -1;
  x*y = 3 + time;
end NoSolution;
