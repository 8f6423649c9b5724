model M
  model A
    Real y = x;
  protected
    Real x = 1;
  end A;
  A a;
  Real z = a.x;
end M;
//! command check {file}
//! error F135 8:14
//! message 'x' of 'a' is protected
