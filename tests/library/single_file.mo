//! command parse Plain.M --library {dir}/input/libs/Plain.mo
//! output Plain.mo:2:9, 1 file read
