model M
  Real x constrainedby Real;
end M;
//! error P127 2:10
