model M
  Real x;
//! error P104 1:7
