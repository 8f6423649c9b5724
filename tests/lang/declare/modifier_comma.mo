model M
  Real x(start = 1,);
end M;
//! error P101 2:20
