model M
  constant Integer a = b;
  constant Integer b = a;
  Real x[a];
end M;
//! command check {file}
//! error F125 2:20
//! message 'a' depends on itself
