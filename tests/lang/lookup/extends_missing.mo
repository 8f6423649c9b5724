model M
  extends Base;
  Real x = 1;
end M;
//! command check {file}
//! error F101 2:11
