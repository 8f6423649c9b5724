//! input printf 'model M "gr\366\337e"\nend M;\n' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! warning L108 1:12
