//! environment MODELICAPATH=/nonexistent:{dir}/input/libs
//! command parse Demo.Single
//! output Demo 1.10.0/Single.mo:2:7, 2 files read
