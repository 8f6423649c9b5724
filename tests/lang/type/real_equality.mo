model M
  Real x = time;
  Boolean b = x == 0.5;
end M;
//! command check {file}
//! error T142 3:17
//! message an event hits equal Real values by chance only
