//! input printf "model A\nend A;\n" > a.mo; printf "model B\n" > b.mo; mkdir c; printf "model C end C;" > c/c.mo
//! command parse {tmp}
//! error P104 1:7
//! output 3 files, 4 lines
//! output 1 error in 1 file
