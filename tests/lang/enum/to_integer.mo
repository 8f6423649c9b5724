model M
  type Mode = enumeration(off, on);
  Integer i = Mode.on;
end M;
//! command check {file}
//! error T101 3:20
//! message Integer(
