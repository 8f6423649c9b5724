model M
  Real outside = time;
  model A
    Real x = outside;
  end A;
  A a;
end M;
//! command check {file}
//! error F128 4:14
//! message 'outside' of the enclosing class 'M' is not a constant
