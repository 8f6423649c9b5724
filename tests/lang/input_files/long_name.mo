//! input { printf 'model '; head -c 100000 /dev/zero | tr '\0' 'x'; printf '\n  Real y = ;\nend M;\n'; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P106 2:12
//! error P103 3:5
