model M
  Real x = if time > 1 then 1 else true;
end M;
//! command check {file}
//! error T130 2:36
