// The ladder with 1,000 capacitors: an evaluation solves each of the 1,000 processes once, by one factorisation of one
// number, whatever the size is. Steps do not become more: the work of a step is linear in the size.
//! command simulate {dir}/ladder.mo --set N=1000 --stop 1 --intervals 1 --method dopri5 --output -
//! stat theta.processes = 1000
//! stat theta.states = 1000
//! stat states = 1000
//! stat theta.solves <= 1000 * rhs_calls + 10000
//! stat theta.factorizations <= 1.02 * theta.solves
//! stat steps_accepted <= 32
//! near cell[1].v(1) = 0.978833 within 1e-4
