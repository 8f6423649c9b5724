//! command parse Demo.Single --library {dir}/input/absent
//! error S104
//! message No such file or directory
