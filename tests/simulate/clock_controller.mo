// A clocked PI controller whose integrator is discretised with the implicit Euler method every 0.1 s, with the initial equation
// y = 0, drives an inertia of 10 to the speed t/2 (up to 1): by hand 11, 3.3, ... and 5, the torque that is needed, at the end.
//! command simulate {file} --output - --stop 2.2 --tolerance 1e-12 --interval 0.05
//! near y(0.05) = 0 within 1e-12
//! near y(0.15) = 11 within 1e-9
//! near y(0.25) = 3.3 within 1e-9
//! near y(0.55) = 5.1656 within 1e-4
//! near y(1.05) = 4.997578608 within 1e-9
//! near y(2.05) = 4.9999994555 within 1e-9
model ClockController
  Real w(start = 0, fixed = true), wanted = min(time, 2)/2;
  Real x, u, y;
initial equation
  y = 0;
equation
  10*der(w) = hold(y);
  when Clock(Clock(1, 10), "ImplicitEuler") then
    u = sample(wanted) - sample(w);
    der(x) = u/0.1;
    y = 110*(x + u);
  end when;
end ClockController;
