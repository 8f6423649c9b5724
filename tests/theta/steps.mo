// With THETA an explicit method takes the steps of the paper, none of them twice, and an equilibrium costs few
// factorisations.
//! command simulate {dir}/../../examples/theta/Circuits.mo --model Circuits.ThetaCircuit2Dynamic --stop 0.65 --intervals 1 --tolerance 1e-6 --method tsit5 --output -
//! stat steps_accepted <= 39
//! stat steps_rejected = 0
//! stat theta.factorizations <= 4 * theta.solves
//! stat theta.followed = 0
//! near C1.v(0.65) = 1000.911 within 0.5
