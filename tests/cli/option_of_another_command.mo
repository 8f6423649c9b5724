//! command parse --in-place x.mo
//! exit 2
//! message 'parse' has no option --in-place
