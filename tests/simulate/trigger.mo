// A trigger with positive feedback and no events: where its old state ceases to exist, the solver
// must find the other one. It switches at u = +-5.
//! command simulate {file} --output - --stop 4 --intervals 800
//! near y(0.9) = -10 within 1e-6
//! near y(1.1) = 10 within 1e-6
//! near y(2.5) = 10 within 1e-6
//! near y(3.4) = 10 within 1e-6
//! near y(3.6) = -10 within 1e-6
model Trigger
  Real u = if time < 2 then -15 + 20*time else 65 - 20*time;
  Real v, y(start = -10);
equation
  v = 0.5*u + 0.25*y;
  y = smooth(0, noEvent(if 1000*v > 10 then 10 elseif 1000*v < -10 then -10 else 1000*v));
end Trigger;
