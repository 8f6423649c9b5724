model M
  Real x[2] = "a":"b";
end M;
//! command check {file}
//! error T131 2:15
