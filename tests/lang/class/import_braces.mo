model M
  import A.{b, };
end M;
//! error P101 2:16
