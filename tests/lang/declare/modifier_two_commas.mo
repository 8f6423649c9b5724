model M
  Real x(start = 1,, fixed = true);
end M;
//! error P101 2:20
