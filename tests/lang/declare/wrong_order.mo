model M
  Real parameter x;
end M;
//! error P115 2:8
