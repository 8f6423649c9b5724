// The slow side computes the spring between the inertias.
//! command simulate Rubato.Multirate.Examples.DispForce --stop 1.0005 --interval 0.5 --output - --variables "J[12][.](phi|w)"
//! near J1.phi(1.0005) = -0.0372255558846504 within 1e-12
//! near J1.w(1.0005) = 0.605419696931291 within 1e-11
//! near J2.phi(1.0005) = -0.405594060355544 within 1e-12
//! near J2.w(1.0005) = 6.83535406302947 within 1e-11
