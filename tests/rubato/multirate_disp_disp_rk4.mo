// The same with Runge-Kutta methods on both sides and the slow motion continued on a line.
//! command simulate Rubato.Multirate.Examples.DispDisp --set nP=1 --set fastMethod=\"ExplicitRungeKutta4\" --set slowMethod=\"ExplicitRungeKutta4\" --stop 1.0005 --interval 0.5 --output - --variables "J[12][.](phi|w)"
//! near J1.phi(1.0005) = -0.0360582881272709 within 1e-12
//! near J1.w(1.0005) = 0.642273059421599 within 1e-11
//! near J2.phi(1.0005) = -0.418571294294086 within 1e-12
//! near J2.w(1.0005) = 6.7699958658901 within 1e-11
