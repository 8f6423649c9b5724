model M
  flow stream Real x;
end M;
//! error P127 2:8
