//! input printf 'model M\r\n  Real x = ;\r\nend M;\r\n' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P106 2:12
