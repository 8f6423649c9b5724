//! input printf 'model M "abc\\' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error L102 1:9
