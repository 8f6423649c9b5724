model M
  model A
    outer Real u;
    Real x = u;
  end A;
  Real u = 1;
  A a;
end M;
//! command check {file}
//! error F160 3:16
//! message 'u' of 'M' is not declared inner
