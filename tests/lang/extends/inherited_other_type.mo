model M
  partial model A
    Real x;
  end A;
  extends A;
  Integer x = 1;
end M;
//! command check {file}
//! error F114 6:11
//! message 'x' is inherited with another declaration
