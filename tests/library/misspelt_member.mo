//! command parse Demo.Sbu.Leaf --library {dir}/input/libs
//! error S105
//! message did you mean 'Sub'?
