model M
  partial model Port
    Real u;
  end Port;
  model Good
    extends Port(u = 1);
  end Good;
  model Bad
    Real v = 1;
  end Bad;
  model A
    replaceable Good b constrainedby Port;
  end A;
  A a(redeclare Bad b);
end M;
//! command check {file}
//! error F143 14:21
