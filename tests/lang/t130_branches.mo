//! command check {file}
model M
  Real x = if time > 1 then 1 else true; //! error T130
end M;
