model M
  annotation experiment;
end M;
//! error P101 2:14
