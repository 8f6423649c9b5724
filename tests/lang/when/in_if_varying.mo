model M
  discrete Real d;
equation
  if time > 1 then
    when time > 2 then
      d = 1;
    end when;
  else
    d = 2;
  end if;
end M;
//! command check {file}
//! error T190 5:5
//! message condition
