model M
  discrete Real d;
equation
  d = time;
end M;
//! command check {file}
//! error T105 4:3
//! message 'd' is discrete
