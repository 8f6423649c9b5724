model M
  model A
    Real y = p;
  protected
    parameter Real p = 1;
  end A;
  A a(p = 2);
end M;
//! command check {file}
//! error F134 7:7
//! message 'p' is protected and cannot be modified here
