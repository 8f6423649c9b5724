model M
  model A
    parameter Integer n = 1;
    Real x = n;
  end A;
  A a(n = 2.5);
end M;
//! command check {file}
//! error T101 6:11
//! message 'n' is Integer, but its value is Real
