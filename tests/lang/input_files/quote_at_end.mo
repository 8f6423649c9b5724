//! input printf "model 'M\\\\" > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error L104 1:7
