// Solver methods of discretised partitions: der(x) = -x + u with steps of 0.5, for u = 1 (x) and for u = time (z). All ticks of
// all methods.
//! command simulate {file} --output - --stop 2.1 --interval 0.05 --tolerance 1e-10
//! near ee.x(0.55) = 0.5 within 1e-12
//! near ee.x(1.05) = 0.75 within 1e-12
//! near ee.x(1.55) = 0.875 within 1e-12
//! near ee.x(2.05) = 0.9375 within 1e-12
//! near ee.z(0.55) = 0.0 within 1e-12
//! near ee.z(1.05) = 0.25 within 1e-12
//! near ee.z(1.55) = 0.625 within 1e-12
//! near ee.z(2.05) = 1.0625 within 1e-12
//! near mp.x(0.55) = 0.375 within 1e-12
//! near mp.x(1.05) = 0.609375 within 1e-12
//! near mp.x(1.55) = 0.755859375 within 1e-12
//! near mp.x(2.05) = 0.847412109375 within 1e-12
//! near mp.z(0.55) = 0.125 within 1e-12
//! near mp.z(1.05) = 0.390625 within 1e-12
//! near mp.z(1.55) = 0.744140625 within 1e-12
//! near mp.z(2.05) = 1.152587890625 within 1e-12
//! near rk.x(0.55) = 0.3932291666666667 within 1e-12
//! near rk.x(1.05) = 0.6318291558159722 within 1e-12
//! near rk.x(1.55) = 0.7766046700654207 within 1e-12
//! near rk.x(2.05) = 0.8644502294928204 within 1e-12
//! near rk.z(0.55) = 0.10677083333333333 within 1e-12
//! near rk.z(1.05) = 0.3681708441840278 within 1e-12
//! near rk.z(1.55) = 0.7233953299345793 within 1e-12
//! near rk.z(2.05) = 1.1355497705071798 within 1e-12
//! near ie.x(0.55) = 0.3333333333333333 within 1e-12
//! near ie.x(1.05) = 0.5555555555555556 within 1e-12
//! near ie.x(1.55) = 0.7037037037037037 within 1e-12
//! near ie.x(2.05) = 0.8024691358024691 within 1e-12
//! near ie.z(0.55) = 0.16666666666666666 within 1e-12
//! near ie.z(1.05) = 0.4444444444444444 within 1e-12
//! near ie.z(1.55) = 0.7962962962962963 within 1e-12
//! near ie.z(2.05) = 1.1975308641975309 within 1e-12
//! near it.x(0.55) = 0.4 within 1e-12
//! near it.x(1.05) = 0.64 within 1e-12
//! near it.x(1.55) = 0.784 within 1e-12
//! near it.x(2.05) = 0.8704 within 1e-12
//! near it.z(0.55) = 0.1 within 1e-12
//! near it.z(1.05) = 0.36 within 1e-12
//! near it.z(1.55) = 0.716 within 1e-12
//! near it.z(2.05) = 1.1296 within 1e-12
//! near si.x(0.55) = 0.5 within 1e-12
//! near si.x(1.05) = 0.75 within 1e-12
//! near si.x(1.55) = 0.875 within 1e-12
//! near si.x(2.05) = 0.9375 within 1e-12
//! near si.z(0.55) = 0.0 within 1e-12
//! near si.z(1.05) = 0.25 within 1e-12
//! near si.z(1.55) = 0.625 within 1e-12
//! near si.z(2.05) = 1.0625 within 1e-12
//! near ex.x(2.05) = 0.8646647167633873 within 1e-8
//! near ex.z(2.05) = 1.1353352832366128 within 1e-8
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
  Lag it(method = "ImplicitTrapezoid"), si(method = "SemiImplicitEuler"), ex(method = "External");
end ClockMethods;
