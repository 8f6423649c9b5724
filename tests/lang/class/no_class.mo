Real x;
//! error P101 1:1
