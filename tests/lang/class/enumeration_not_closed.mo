type E = enumeration(a, b;
//! error P105 1:26
