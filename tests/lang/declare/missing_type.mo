model M
  parameter x;
end M;
//! error P101 2:14
