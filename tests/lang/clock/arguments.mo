model M
  Clock c = Clock(1, 2, 3, 4);
  Clock d = Clock(1, 2, 3);
end M;
//! command check {file}
//! error T160 2:13
//! error T160 3:13
