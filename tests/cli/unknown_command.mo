//! command prase x
//! exit 2
//! message unknown command 'prase'; did you mean 'parse'?
