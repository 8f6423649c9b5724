function f = der g, x;
//! error P101 1:18
