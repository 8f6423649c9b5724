// x' = -x(t - 1) with x = 1 before: x = 1 - t + (t - 1)^2/2 - (t - 2)^3/6 for 2 <= t <= 3.
//! command simulate {file} --stop 3 --intervals 12 --tolerance 1e-8 --output -
//! near x(1) = 0 within 1e-7
//! near x(1.5) = -0.375 within 1e-9
//! near x(2.5) = -0.39583333333333333 within 1e-9
//! near y(0.25) = 0 within 0
//! near y(1.25) = 0.9025 within 1e-9
//! near w(2) = -1.44 within 1e-6
//! near p[1].y(2) = 1 within 1e-9
//! near p[2].y(2) = 2.25 within 1e-9
//! near v(2) = 1.7 within 1e-9
//! near short(2) = 3.999996 within 1e-6
model M
  model Part
    parameter Real T = 1;
    Real u = time^2;
    Real y = delay(u + 0, T);
  end Part;
  Real x(start = 1, fixed = true);
  Real y = delay(time^2, 0.3);
  Real q = -time^2;
  Real w = delay(q, 0.8);
  Part p[2](T = {1, 0.5});
  Real v = delay(time, 0.1 + 0.1*time, 1);
  Real short = delay(time^2, 1e-6);
equation
  der(x) = -delay(x, 1);
end M;
