model A
  Real x = 1;
  A a;
end A;
//! command check {file}
//! error F123 3:5
//! message 'a' contains itself
