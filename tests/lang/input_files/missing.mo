//! command parse {tmp}/absent.mo
//! error S101
//! message No such file or directory
