// An amplifier with limits and feedback: from one limit the solution lies in the small part between
// the limits, where the slope is 15000 times that of the rest.
//! command simulate {file} --model M --stop 1 --intervals 50 --output -
//! near y(0) = -9.998666844420744 within 1e-6
//! near y(0.5) = 0 within 1e-6
//! near y(0.8) = 5.999200106652445 within 1e-6
//! near y(1) = 9.998666844420744 within 1e-6
model M
  parameter Real gain = 15000;
  parameter Real limit = 15;
  Real u = 10*time - 5;
  Real e, y, i, back;
equation
  e = u - back;
  y = smooth(0, noEvent(if gain*e > limit then limit else if gain*e < -limit then -limit
      else gain*e));
  y - back = 1000*i;
  back = 1000*i;
end M;
