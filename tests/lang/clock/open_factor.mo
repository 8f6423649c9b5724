model M
  Real x, y;
equation
  x = sample(time, Clock(2, 10));
  when Clock(3, 10) then
    y = subSample(x);
  end when;
end M;
//! command check {file}
//! error D135 6:9
//! message the factor of subSample would be 3/2
