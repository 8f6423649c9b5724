model M
  Real x(start = 1;
end M;
//! error P105 2:19
