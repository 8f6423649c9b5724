model M
  Real d = 0.1 + 0.01*time;
  Real x = delay(time, d);
end M;
//! command check {file}
//! error T156 3:24
//! message needs a third argument
