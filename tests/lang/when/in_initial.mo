model M
  discrete Real d;
equation
  when time > 1 then
    d = 1;
  end when;
initial equation
  when time > 0 then
    d = 0;
  end when;
end M;
//! command check {file}
//! error T193 8:3
