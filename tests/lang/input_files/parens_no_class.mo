//! input head -c 20000000 /dev/zero | tr '\0' '(' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P101 1:1
