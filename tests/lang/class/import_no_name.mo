model M
  import ;
end M;
//! error P101 2:10
