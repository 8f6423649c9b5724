//! input printf '\177ELF\002\001\001\000\000\000' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error L101 1:1
//! error L101 1:5
//! error L109 1:8
