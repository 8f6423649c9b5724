model M
  Real x;
equation
  if time > 1 then
    x = 1;
  end if;
end M;
//! command check {file}
//! error F171 4:3
//! message without 'else'
