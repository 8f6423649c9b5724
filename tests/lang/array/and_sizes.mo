model M
  Boolean b[2] = {true, false} and {true, false, true};
end M;
//! command check {file}
//! error T140 2:32
