//! command parse Demmo.Single --library {dir}/input/libs
//! error S105
//! message no library has 'Demmo'
