//! command simulate {file}
//! message an interval of 1e-12 makes 1e+12 output points; at most 1e+09 are written
//! error R106 6:25
model M
  Real x = time;
  annotation(experiment(StopTime = 1, Interval = 1e-12));
end M;
