//! command parse Demo.Single --library "{dir}/input/libs/Demo 1.9.0"
//! error S105
//! message there is no 'Single'
