model M
  Clock c = Clock(1, 2, 3, 4);
end M;
//! command check {file}
//! error T160 2:13
