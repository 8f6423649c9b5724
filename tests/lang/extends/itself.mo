model A
  extends A;
  Real x = 1;
end A;
//! command check {file}
//! error F120 2:11
//! message 'A' extends itself
