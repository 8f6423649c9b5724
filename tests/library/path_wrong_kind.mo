//! command parse Demo.Single --library "{dir}/input/libs/Demo 1.10.0/package.order"
//! error S104
//! message neither a folder nor a .mo file
