// The textbook pendulum: positions and velocities come before the force. Two of the four start
// values become conditions, the others follow.
//! command simulate {file} --model Pendulum --stop 0 --output -
//! warning D122
//! message the start values of x, vx are taken as initial conditions
//! near x(0) = 0.6 within 1e-12
//! near y(0) = -0.8 within 1e-9
//! near vx(0) = 0.4 within 1e-12
//! near vy(0) = 0.3 within 1e-9
//! near F(0) = 8.098 within 1e-8
model Pendulum
  parameter Real L = 1, m = 1, g = 9.81;
  Real x(start = 0.6), y(start = -0.8), vx(start = 0.4), vy(start = 0.3), F(start = 50);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -x/L*F;
  m*der(vy) = -y/L*F - m*g;
  x^2 + y^2 = L^2;
end Pendulum;
