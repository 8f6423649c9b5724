// Solver methods of discretised partitions: der(x) = -x + u with steps of 0.5, for u = 1 and
// for u = time.
//! command simulate {file} --output - --stop 2.1 --interval 0.05
//! near ee.x(2.05) = 0.9375 within 1e-12
//! near ee.z(2.05) = 1.0625 within 1e-12
//! near mp.x(0.55) = 0.375 within 1e-12
//! near mp.x(2.05) = 0.847412109375 within 1e-12
//! near mp.z(2.05) = 1.152587890625 within 1e-12
//! near rk.x(0.55) = 0.3932291666666667 within 1e-12
//! near rk.x(2.05) = 0.8644502295 within 1e-9
//! near rk.z(1.55) = 0.7233953299 within 1e-9
//! near rk.z(2.05) = 1.1355497705 within 1e-9
//! near ie.x(0.55) = 0.3333333333333333 within 1e-12
//! near ie.x(2.05) = 0.8024691358024691 within 1e-12
//! near ie.z(2.05) = 1.1975308641975309 within 1e-12
//! near it.x(1.05) = 0.64 within 1e-12
//! near it.x(2.05) = 0.8704 within 1e-12
//! near it.z(1.55) = 0.716 within 1e-12
//! near it.z(2.05) = 1.1296 within 1e-12
model ClockMethods
  model Lag
    parameter String method;
    Clock c = Clock(Clock(1, 2), method);
    Real x(start = 0, fixed = true), z(start = 0, fixed = true);
    Real u = sample(1.0, c), t = sample(time, c);
  equation
    der(x) = -x + u;
    der(z) = -z + t;
  end Lag;
  Lag ee(method = "ExplicitEuler"), mp(method = "ExplicitMidPoint2");
  Lag rk(method = "ExplicitRungeKutta4"), ie(method = "ImplicitEuler");
  Lag it(method = "ImplicitTrapezoid");
end ClockMethods;
