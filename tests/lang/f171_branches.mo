//! command check {file}
model M
  Real x;
equation
  if time > 1 then //! error F171
    x = 1;
  else
  end if;
end M;
