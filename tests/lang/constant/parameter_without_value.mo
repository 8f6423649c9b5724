model M
  parameter Real p;
  Real x = p;
end M;
//! command check {file}
//! warning F127 2:18
//! exit 0
//! message parameter 'p' has no value
