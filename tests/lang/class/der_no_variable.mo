function f = der(g);
//! error P101 1:19
