// A front goes along a line: states that are about to join are taken in together, so that fewer groups are made
// (one by one: 158), at no more steps of states.
//! command simulate {dir}/../../examples/multirate/BurgersFront.mo --rates auto --output -
//! stat selection_changes < 100
//! stat state_steps < 62000
model Unused
end Unused;
