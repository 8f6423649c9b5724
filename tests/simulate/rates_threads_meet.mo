// A strong coupling makes clusters with events meet; they become one, and nothing depends on threads.
//! command simulate {dir}/rates_threads.mo --set k=0.4 --rates 3 --tier 0 --tolerance 1e-6 --threads 4,1 --output -
//! near T[3](8) = 298.85397878434554 within 2e-4
//! near U[7](8) = 299.31186820261854 within 2e-4
//! near T[12](8) = 298.7983403794197 within 2e-4
//! near count[9](8) = 5 within 2e-4
//! check for r in 2 3; do for n in 1 2 4; do {rubato} simulate {dir}/rates_threads.mo --set k=0.4 --rates $r --tier 0 --tolerance 1e-6 --threads $n,1 --quiet --output $n.csv --trace $n.tr; done; for n in 2 4; do cmp 1.csv $n.csv && cmp 1.tr $n.tr || exit 1; done; done
//! long
