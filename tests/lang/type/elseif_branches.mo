model M
  Real x = if time > 1 then 1 elseif time > 2 then "a" else 3;
end M;
//! command check {file}
//! error T130 2:52
