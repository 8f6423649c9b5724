type T = ;
//! error P101 1:10
