//! input { printf 'model M A a'; for i in $(seq 1 1000); do printf '(x'; done; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P112 1:808
