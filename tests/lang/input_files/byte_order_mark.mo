//! input printf '\357\273\277model M\n  Real x = ;\nend M;\n' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P106 2:12
