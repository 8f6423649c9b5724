model M
  input output Real x;
end M;
//! error P127 2:9
