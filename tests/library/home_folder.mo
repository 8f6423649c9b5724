//! input mkdir -p {tmp}/.openmodelica && ln -s {dir}/input/libs {tmp}/.openmodelica/libraries
//! environment HOME={tmp}
//! command parse Plain.M
//! output libraries/Plain.mo:2:9, 1 file read
