model M
  type Mode = enumeration(off, on);
  Mode m = 1;
end M;
//! command check {file}
//! error T101 3:12
