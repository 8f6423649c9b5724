//! command simulate {file} --interval 1e-300
//! exit 2
//! message an interval of 1e-300 makes 1e+300 output points; at most 1e+09 are written
model M
  Real x = time;
end M;
