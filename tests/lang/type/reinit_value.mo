model M
  Real x(start = 1);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, true);
  end when;
end M;
//! command check {file}
//! error T150 6:15
