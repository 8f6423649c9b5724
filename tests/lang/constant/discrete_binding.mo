model M
  discrete Real d = sin(time);
end M;
//! command check {file}
//! error T105 2:21
