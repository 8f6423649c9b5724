model M
  Real x;
end M
//! error P102 3:6
