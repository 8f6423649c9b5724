// A chain of operators makes a tree as high as it is long.
//! input { printf 'model M\n  Real x = 1'; for i in $(seq 1 5000); do printf ' +1'; done; printf ';\nend M;\n'; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P112 2:12014
