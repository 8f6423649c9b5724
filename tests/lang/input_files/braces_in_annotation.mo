//! input { printf 'model M annotation(a='; head -c 1000000 /dev/zero | tr '\0' '{'; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P112 1:419
