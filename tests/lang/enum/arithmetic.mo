model M
  type Mode = enumeration(off, on);
  Real x = Mode.off + 1;
end M;
//! command check {file}
//! error T140 3:21
