// Two inertias, cut at the spring between them, which the fast side (1 ms, implicit Euler) computes;
// the slow side (10 ms, midpoint) is held. Values by an independent program.
//! command simulate Rubato.Multirate.Examples.ForceDisp --stop 1.0005 --interval 0.5 --output - --variables "J[12][.](phi|w)"
//! near J1.phi(1.0005) = -0.039214299665482 within 1e-12
//! near J1.w(1.0005) = 0.63145385347645 within 1e-11
//! near J2.phi(1.0005) = -0.423200991357988 within 1e-12
//! near J2.w(1.0005) = 7.1833240962224 within 1e-11
