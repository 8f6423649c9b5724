model M
  Real x;
equation
  if time > 1 then
    x = 1;
  else
  end if;
end M;
//! command check {file}
//! error F171 4:3
//! message the branches of 'if' have 1 and 0 equations
