// The circuit of the paper with its capacitor of 1e-12 F: within 1e-7 of the certified values without it, but for R1.v at
// 1e-4 s, where this capacitor takes 8e-5 of the current (IDA at 1e-11 agrees).
//! command simulate {dir}/../../examples/theta/Circuits.mo --model Circuits.Circuit1Dynamic --stop 1 --interval 1e-4 --tolerance 1e-10 --output -
//! stat states = 2
//! near C1.v(1e-4) = 0.9999995078 within 1e-07
//! near R1.v(1e-4) = 0.0040267202 within 3.3e-07
//! near C1.v(1e-3) = 9.9663869457 within 9.97e-07
//! near R1.v(1e-3) = 8.0581241006 within 8.06e-07
//! near C1.v(5e-3) = 48.8663176430 within 4.89e-06
//! near R1.v(5e-3) = 46.7470861674 within 4.67e-06
//! near C1.v(0.01) = 95.3592912750 within 9.54e-06
//! near R1.v(0.01) = 93.1573152647 within 9.32e-06
//! near C1.v(0.015) = 139.5877587857 within 1.4e-05
//! near R1.v(0.015) = 137.3392030708 within 1.37e-05
//! near C1.v(0.02) = 181.6610514723 within 1.82e-05
//! near R1.v(0.02) = 179.3804491360 within 1.79e-05
//! near C1.v(0.05) = 394.3655848506 within 3.94e-05
//! near R1.v(0.05) = 391.9911748675 within 3.92e-05
//! near C1.v(0.1) = 633.6123745151 within 6.34e-05
//! near R1.v(0.1) = 631.1808021676 within 6.31e-05
//! near C1.v(0.5) = 995.7272083235 within 9.96e-05
//! near R1.v(0.5) = 993.2412302300 within 9.93e-05
//! near C1.v(1) = 1002.4412188325 within 0.0001
//! near R1.v(1) = 999.9544324016 within 0.0001
