//! command explain P102
//! output P102: a ';' is missing
//! output Real x\n      Real y;
//! check {rubato} explain r101 | grep -q '^R101: '
