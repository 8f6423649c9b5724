// A discretised partition of index 3: a pendulum in the plane, with a constraint that holds at
// every tick. The implicit Euler method damps it.
//! command simulate {file} --output - --stop 1
//! near length(0.5) = 1 within 1e-7
//! near length(1) = 1 within 1e-7
//! near y(0) = -0.8 within 1e-7
model ClockIndex
  Real x(start = 0.6, fixed = true, stateSelect = StateSelect.prefer);
  Real vx(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real y(start = -0.8), vy, F;
  Real length;
equation
  when Clock(Clock(1, 100), "ImplicitEuler") then
    der(x) = vx;
    der(y) = vy;
    der(vx) = -x*F;
    der(vy) = -y*F - 9.81;
    x^2 + y^2 = 1;
    length = sqrt(x^2 + y^2);
  end when;
end ClockIndex;
