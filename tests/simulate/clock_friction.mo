// Friction that sticks and slides inside of a discretised partition: its modes are found by event iteration at ticks. A mass of 1 is pushed with 2
// from 0.45 s to 1.45 s against a friction of 1, with steps of 0.1 s.
//! command simulate {file} --output - --stop 4 --interval 0.05
//! near stuck(0.45) = 1 within 0
//! near stuck(0.55) = 0 within 0
//! near explicit.v(0.95) = 0.4 within 1e-12
//! near explicit.v(1.55) = 1 within 1e-12
//! near explicit.v(2.05) = 0.5 within 1e-12
//! near explicit.v(3.95) = 0 within 1e-12
//! near implicit.v(0.95) = 0.5 within 1e-12
//! near implicit.v(2.05) = 0.4 within 1e-12
//! near implicit.v(3.95) = 0 within 1e-5
//! near again(2.65) = 1 within 0
model ClockFriction
  model Mass
    parameter String method;
    Real v(start = 0, fixed = true), push, a;
    Boolean slides(start = false);
    Real s "Acceleration without friction where it slides, the force where it sticks";
  equation
    when Clock(Clock(1, 10), method) then
      push = sample(if time > 0.45 and time < 1.45 then 2 else 0);
      slides = pre(slides) and v > 1e-9 or s > 1;
      s = push;
      a = if pre(slides) or s > 1 then push - 1 else -10*v;
      der(v) = a;
    end when;
  end Mass;
  Mass explicit(method = "ExplicitEuler"), implicit(method = "ImplicitEuler");
  Boolean stuck = not hold(explicit.slides), again = not hold(implicit.slides);
end ClockFriction;
