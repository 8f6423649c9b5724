//! input { printf 'model M\n  Real x = 1'; for i in $(seq 1 3000); do printf '+1'; done; printf ';\nend M;\n'; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! output 0 errors in 0 files
