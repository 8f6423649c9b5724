// A controller with an integrator, discretised by the implicit Euler method every 0.1 s, in a
// loop with a continuous plant that it drives to 1. The exact sequence was computed by hand from
// x = X + 0.1 (1 - v), force = 2 (1 - v) + x and v' = force held.
//! command simulate {file} --output - --stop 0.35 --tolerance 1e-10
//! near force(0.05) = 2 within 1e-12
//! near v(0.1) = 0.2 within 1e-9
//! near force(0.15) = 1.68 within 1e-9
//! near force(0.25) = 1.4072 within 1e-9
model ClockDiscretised
  Real v(start = 0, fixed = true);
  Real force, error, x(start = 0, fixed = true);
equation
  der(v) = hold(force);
  when Clock(Clock(1, 10), "ImplicitEuler") then
    error = 1 - sample(v);
    der(x) = error;
    force = 2*error + x;
  end when;
end ClockDiscretised;
