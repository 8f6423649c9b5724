// Two RC stages after a step at 0.1 s; values of a Runge-Kutta run with 400000 steps.
//! command simulate {dir}/../../examples/Circuit.mo --model Circuit.Filter --output -
//! near c1.v(0.5) = 4.835220795251598 within 1e-5
//! near c2.v(0.5) = 4.446342874121539 within 1e-5
//! near r1.i(0.05) = 0 within 1e-12
