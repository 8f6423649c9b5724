type T = 3;
//! error P101 1:10
