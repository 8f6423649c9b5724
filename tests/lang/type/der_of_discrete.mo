model M
  discrete Real d;
  Real x = der(d);
equation
  when time > 1 then
    d = 2;
  end when;
end M;
//! command check {file}
//! error T150 3:16
