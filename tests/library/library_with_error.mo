//! command parse Wrong.X --library {dir}/input/libs
//! error P106 2:12
//! error S105
