// A fast transient after a step, seen through delays: what arrives has a kink and no jump, and moves a thousand times faster
// than anything did before. Points of the past that crowd beside a gap must not magnify rounding errors in it: the run needed
// gigabytes of them. With u = 1 - exp(-(t - 0.2)/1e-6), back is u/2 a delay later, and more with each echo.
//! command simulate {file} --output - --stop 1 --interval 0.01
//! near back(0.35) = 0 within 1e-12
//! near back(0.52) = 0.5 within 1e-6
//! near early(1) = 0.196734670144 within 1e-6
//! near late(1) = 0.475106465816 within 1e-6
//! near back(0.7) = 0.625 within 1e-6
//! near back(0.99) = 0.65625 within 1e-6
model DelayKink
  Real u(start = 0, fixed = true), forth, back, slow(start = 1, fixed = true);
  discrete Real early(start = 0, fixed = true), late(start = 0, fixed = true);
equation
  1e-6*der(u) = (if time < 0.2 then 0 else 1) - u;
  der(slow) = -slow;
  forth = u + 0.5*delay(back, 0.155);
  back = 0.5*delay(forth, 0.155);
  when time >= 0.355 + 0.5e-6 then
    early = back;
  end when;
  when time >= 0.355 + 3e-6 then
    late = back;
  end when;
end DelayKink;
