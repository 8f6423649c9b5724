model M
  Boolean b = {1, 2} == {1, 2};
end M;
//! command check {file}
//! error T140 2:22
