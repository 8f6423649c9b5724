//! command parse Demo.Single --library {dir}/input/empty
//! error S104
//! message holds neither package.mo nor any library
