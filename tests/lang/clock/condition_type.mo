model M
  Real x;
equation
  when Clock("a") then
    x = 1;
  end when;
end M;
//! command check {file}
//! error T150 4:14
