model M
  Real x(start = 1 fixed = true);
end M;
//! error P105 2:20
