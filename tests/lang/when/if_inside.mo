model M
  discrete Real d, e;
equation
  when time > 1 then
    if time > 2 then
      d = 1;
    else
      d = 1;
      e = 2;
    end if;
  end when;
  e = 1;
end M;
//! command check {file}
//! error F171 5:5
