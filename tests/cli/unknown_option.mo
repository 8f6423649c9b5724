//! command parse --libary x y
//! exit 2
//! message unknown option '--libary'; did you mean '--library'?
