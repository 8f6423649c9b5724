initial equation
  x = 1;
//! error P101 1:1
