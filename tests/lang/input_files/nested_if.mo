//! input { printf 'model M\nequation\n'; for i in $(seq 1 1000); do printf 'if true then\n'; done; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P112 400:4
