model M
  model Good
    Real u = 1;
  end Good;
  model Bad
    Real v = 1;
  end Bad;
  model A
    replaceable Good b;
  end A;
  A a(redeclare Bad b);
end M;
//! command check {file}
//! error F143 11:21
