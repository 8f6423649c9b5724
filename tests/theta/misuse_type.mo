//! command check {file}
//! error H106 5:21
//! message 'THETA' stands for an infinitely fast process: it must be a Real parameter or constant
model M
  parameter Integer THETA = 1;
  Real x = time;
end M;
