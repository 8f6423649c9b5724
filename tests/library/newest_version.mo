// 1.10.0 is newer than 1.9.0; two files are read: the package and the member.
//! command parse Demo.Single --library {dir}/input/libs
//! output Demo 1.10.0/Single.mo:2:7, 2 files read
