// What a partition without a solver method may contain: relations, noEvent, smooth and functions that are events elsewhere. A clock with another
// solver method replaces the one it had.
//! command simulate {file} --output - --stop 1.05 --interval 0.05
//! near y(0.35) = 0.3 within 1e-12
//! near y(0.85) = -0.8 within 1e-12
//! near s(0.35) = 0.3 within 1e-12
//! near n(0.85) = 8 within 0
//! near m(0.95) = 1 within 0
//! near r(0.95) = 0.1 within 1e-12
//! near up(0.75) = -1 within 0
//! near x(0.35) = 0.729 within 1e-12
model ClockPlain
  Real u = sample(time, Clock(1, 10)), y, s, r, up, x(start = 1, fixed = true);
  Integer n, m;
equation
  y = if noEvent(u > 0.55) then -u else u;
  s = smooth(1, if u > 0.25 then u else 0.25);
  n = integer(10*u + 0.5);
  m = mod(n, 2);
  r = rem(u, 0.4);
  up = ceil(-u - 0.5);
  when Clock(Clock(Clock(1, 10), "ImplicitEuler"), "ExplicitEuler") then
    der(x) = -x;
  end when;
end ClockPlain;
