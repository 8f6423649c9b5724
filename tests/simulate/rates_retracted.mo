// After an event of the whole an implicit method may step over a transient. A large step that is given up
// for that must not have lived through the events of its clusters.
//! command simulate {dir}/rates_threads.mo --rates 3 --method rodas4,esdirk4 --tier 0 --tolerance 1e-6 --output -
//! near T[3](8) = 299.93344892977524 within 2e-4
//! near U[7](8) = 295.48226876483022 within 2e-4
//! near s[9](8) = 0.69000000004598072 within 2e-4
//! near T[12](8) = 299.04274670660266 within 2e-4
//! near strength[5](8) = 1 within 2e-4
//! near count[9](8) = 5 within 2e-4
//! stat events_state = 209
