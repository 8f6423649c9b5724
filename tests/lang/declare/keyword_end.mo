model M
  Real end;
end M;
//! error P115 2:8
