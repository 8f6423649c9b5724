//! command flat {file}
//! output x = 1;
model M
  parameter Boolean first = true;
  Real x;
equation
  if first then
    x = 1;
  else
    x = missing;
  end if;
end M;
