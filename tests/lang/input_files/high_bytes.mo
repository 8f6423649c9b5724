//! input printf '\377\376m\000o\000d\000e\000l\000' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error L101 1:1
//! error L109 1:4
