//! input printf 'model M\nend M;\n/*' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error L103 3:1
