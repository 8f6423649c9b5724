model M
  Real x, y;
equation
  if time > 1 then
    x = 1;
    y = 1;
  elseif time > 2 then
    x = 2;
    y = 2;
  else
    x = 3;
  end if;
end M;
//! command check {file}
//! error F171 4:3
