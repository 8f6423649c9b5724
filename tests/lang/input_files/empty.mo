//! input : > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P120 1:1
