//! command parse Demo.Sub.Leaf --library {dir}/input/libs
//! output Sub/Leaf.mo:2:7, 3 files read
