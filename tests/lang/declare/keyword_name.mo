model M
  Real flow;
end M;
//! error P115 2:8
