model M
  Real x(start = 1);
  Integer i = 1;
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(i, 2);
  end when;
end M;
//! command check {file}
//! error T150 7:12
