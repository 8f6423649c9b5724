//! input for i in $(seq 1 1000); do printf 'model M\n'; done > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P112 400:1
