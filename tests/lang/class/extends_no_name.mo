model M
  extends;
end M;
//! error P101 2:10
