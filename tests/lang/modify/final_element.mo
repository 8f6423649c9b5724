model M
  model A
    final parameter Real p = 1;
    Real x = p;
  end A;
  A a(p = 2);
end M;
//! command check {file}
//! error F133 6:7
//! message 'p' is final and cannot be modified
