//! command parse Demo.Inside.Deep --library {dir}/input/libs
//! output Demo 1.10.0/package.mo:3:11, 1 file read
