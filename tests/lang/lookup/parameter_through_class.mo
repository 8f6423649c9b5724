model M
  model A
    parameter Real p = 1;
  end A;
  Real y = A.p;
end M;
//! command check {file}
//! error F108 5:14
