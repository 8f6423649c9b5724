//! command simulate Missing.Examples.First --library {dir}/../library/input/libs
//! error F101
//! message a library 'Missing' was searched in:
//! message Other folders are named with --library or in MODELICAPATH
