model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  extends A(redeclare parameter Integer p = 2);
end M;
//! command check {file}
//! error F142 6:41
