// Index 3: the constraint and its derivatives are found. No choice of states is good for ever, so
// all coordinates are states, brought back to the constraint. Energy is conserved.
//! command simulate {file} --output - --tolerance 1e-8 --stop 10
//! near energy(0.5) = -0.6 within 1e-5
//! near energy(10) = -0.6 within 2e-6
//! near length(0.5) = 1 within 1e-8
//! near length(10) = 1 within 1e-9
model Pendulum
  Real x(start=0.8, fixed=true), y(start=-0.6), vx(start=0, fixed=true), vy, f;
  Real energy = (vx^2 + vy^2)/2/9.81 + y, length = x^2 + y^2;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = f*x;
  der(vy) = f*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
