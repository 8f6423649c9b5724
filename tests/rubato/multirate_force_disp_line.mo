// The same with the slow motion continued on a line.
//! command simulate Rubato.Multirate.Examples.ForceDisp --set nP=1 --stop 1.0005 --interval 0.5 --output - --variables "J[12][.](phi|w)"
//! near J1.phi(1.0005) = -0.034812173130852 within 1e-12
//! near J1.w(1.0005) = 0.649289000662714 within 1e-11
//! near J2.phi(1.0005) = -0.405771419286245 within 1e-12
//! near J2.w(1.0005) = 6.90002587785014 within 1e-11
