Model M
  Real x;
end M;
//! error P129 1:1
