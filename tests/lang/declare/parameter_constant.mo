model M
  parameter constant Real x = 1;
end M;
//! error P127 2:13
