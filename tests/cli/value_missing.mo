//! command parse x.mo --library
//! exit 2
//! message a value is missing
