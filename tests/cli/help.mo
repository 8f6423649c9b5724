//! command --help
//! output rubato parse
//! output --library PATH
