model M
  partial model A
    parameter Real k = 1;
  end A;
  extends A(kk = 2);
  Real x = k;
end M;
//! command check {file}
//! error F130 5:13
//! message 'M.A' has no element 'kk'; did you mean 'k'?
