//! command parse
//! exit 2
//! message nothing to parse
