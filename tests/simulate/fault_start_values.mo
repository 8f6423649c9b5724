// Start values from which no solution is found: everything needed to choose better ones.
//! command simulate {file} --output -
//! error R102 17:3
//! exit 3
//! message at time 0: the nonlinear system of 2 equations for 'x', 'y' has no solution that Newton's method finds (block 0)
//! message with these values log(x) has no value: the logarithm of -3
//! message has no value: sqrt(x - 2.0)*y = p + 1.0
//! message iteration variable x: start = -3, nominal = 2, min = -10, max = 10
//! message iteration variable y: start = 1
//! message what to try: another start value for 'x', nearer to the solution
model Starts
  parameter Real p = 2;
  Real x(start=-3, nominal=2, min=-10, max=10), y(start=1);
  Real z(start=0, fixed=true);
equation
  sqrt(x - 2)*y = p + 1;
  log(x) + y^2 = 4 + z;
  der(z) = 1 - z;
end Starts;
