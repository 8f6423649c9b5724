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
    replaceable model B = Good constrainedby Port;
    B b;
  end A;
  A a(redeclare model B = Bad);
end M;
//! command check {file}
//! error F143 15:23
//! message 'M.Bad' cannot stand for 'M.Port': it has no element 'u'
