model M
  model Good
    Real u = 1;
  end Good;
  model Bad
    Boolean u = true;
  end Bad;
  model A
    replaceable Good b;
  end A;
  A a(redeclare Bad b);
end M;
//! command check {file}
//! error F143 11:21
//! message 'u' is Boolean instead of Real
