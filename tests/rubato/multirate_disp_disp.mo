// The spring between the inertias is on both sides, which exchange their motions.
//! command simulate Rubato.Multirate.Examples.DispDisp --stop 1.0005 --interval 0.5 --output - --variables "J[12][.](phi|w)"
//! near J1.phi(1.0005) = -0.0375671738919778 within 1e-12
//! near J1.w(1.0005) = 0.600761462145454 within 1e-11
//! near J2.phi(1.0005) = -0.405514758729761 within 1e-12
//! near J2.w(1.0005) = 6.83339246654119 within 1e-11
