model M
  type Mode = enumeration(off, on);
  Mode m = on;
end M;
//! command check {file}
//! error F100 3:12
//! message did you mean 'Mode.on'?
