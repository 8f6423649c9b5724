type E = enumeration(a, "b");
//! error P101 1:25
