model M
  import A from B;
end M;
//! error P101 2:12
