model M
  extends "A";
end M;
//! error P101 2:11
