// A pulse in a chain: the same answer as with one rate, from a fraction of the rows.
//! command simulate {dir}/../../examples/multirate/InverterChain.mo --rates auto --threads 2 --stop 20 --tolerance 1e-7 --output - --stats {tmp}/s
//! near U[1](12) = 0.0062470693977599639 within 1e-6
//! near U[1](20) = 4.8464844146884616 within 1e-5
//! near U[999](20) = 5 within 1e-5
//! check python3 -c "import json;d=json.load(open('s'));assert d['rhs_rows']<0.2*d['rhs_calls']*d['rows'], d;assert d['levels'][1]['states_mean']<100;assert d['selection_cache_hits']>0"
