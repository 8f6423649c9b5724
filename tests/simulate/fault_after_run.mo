// The explanation evaluates the model after the run is over: a loop that fails there once more has nobody left to tell.
//! command simulate {file} --output -
//! error R101 10:3
//! exit 3
model FaultAfterRun
  Real x(start = 0.8, fixed = true), y(start = -0.6), vx(start = 4.8, fixed = true), vy, f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vy) = f*y - 9.81;
  abs(vx) = f*x;
  x^2 + y^2 = 1;
end FaultAfterRun;
