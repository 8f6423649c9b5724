model M
  Real x, y;
equation
  when Clock(0.1) then
    x = time;
  end when;
  y = subSample(x, "a");
end M;
//! command check {file}
//! error T150 7:20
