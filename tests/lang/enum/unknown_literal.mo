model M
  type Mode = enumeration(off, on);
  Mode m = Mode.onn;
end M;
//! command check {file}
//! error F107 3:17
//! message enumeration 'M.Mode' has no literal 'onn'; did you mean 'on'?
