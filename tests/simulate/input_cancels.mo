// The sum of three phases is zero but for rounding, and its enclosures say nothing about that: a window is taken for even after some
// looks, not searched step by step. A pulse beside it is found all the same: q gains w*sqrt(pi) from it.
//! command simulate {file} --set w=0.001 --stop 10 --output -
//! near q(10) = 0.0017724538509 within 2e-6
//! near z(10) = 0 within 1e-9
//! stat steps_accepted < 100
model input_cancels
  parameter Real w = 0.005;
  constant Real third = 2.0943951023931953;
  Real q(start = 0, fixed = true), z(start = 0, fixed = true);
  Real sum = sin(time) + sin(time + third) + sin(time + 2*third);
equation
  der(q) = exp(-((time - 6.13)/w)^2) + sum;
  der(z) = sum;
end input_cancels;
