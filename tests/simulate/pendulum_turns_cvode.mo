// The invariants also hold with cvode; see pendulum_turns.mo.
//! needs SUNDIALS
//! command simulate {file} --solver cvode --output - --tolerance 1e-9 --stop 5 --intervals 10
//! near x(5) = -0.9176735016310971 within 1e-4
//! near y(5) = 0.3973353047542099 within 1e-4
//! near energy(5) = 26.114 within 1e-4
//! near missed(2.5) = 0 within 3e-8
//! near missed(5) = 0 within 3e-8
model PendulumTurns
  Real x(start = 0.8, fixed = true), y(start = -0.6), vx(start = 4.8, fixed = true), vy, f;
  Real energy = (vx^2 + vy^2)/2 + 9.81*y, missed = x^2 + y^2 - 1;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = f*x;
  der(vy) = f*y - 9.81;
  x^2 + y^2 = 1;
end PendulumTurns;
