// A pulse in a chain: the same answer as with one rate, from a fraction of the rows.
//! command simulate {dir}/../../examples/multirate/InverterChain.mo --rates auto --threads 2 --stop 20 --tolerance 1e-7 --output -
//! near U[1](12) = 0.0062470693977599639 within 1e-6
//! near U[1](20) = 4.8464844146884616 within 1e-5
//! near U[999](20) = 5 within 1e-5
//! stat rhs_rows < 0.2 * rhs_calls * rows
//! stat levels[1].states_mean < 100
//! stat selection_cache_hits > 0
