model M
  discrete Real d;
equation
  when time > 1 then
    d = 1;
  end when;
  when time > 2 then
    d = 2;
  end when;
end M;
//! command check {file}
//! error F170 1:7
