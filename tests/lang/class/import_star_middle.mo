model M
  import A.*.B;
end M;
//! error P101 2:13
