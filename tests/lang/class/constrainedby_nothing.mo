model M
  replaceable Real x constrainedby ;
end M;
//! error P101 2:36
