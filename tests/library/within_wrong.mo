//! command parse Demo.Sub.Lost --library {dir}/input/libs
//! error S107 1:1
//! message it must start with 'within Demo.Sub;'
