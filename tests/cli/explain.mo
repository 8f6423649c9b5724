//! command explain P102
//! output P102: a ';' is missing
//! output Real x\n      Real y;
