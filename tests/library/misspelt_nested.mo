//! command parse Demo.Insdie --library {dir}/input/libs
//! error S105
//! message did you mean 'Inside'?
