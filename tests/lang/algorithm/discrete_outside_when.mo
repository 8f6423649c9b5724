model M
  discrete Real x, y;
algorithm
  y := pre(y);
  when time > 1 then
    y := 2*time;
  end when;
  x := sin(time);
end M;
//! command check {file}
//! error T105 8:3
