model M
  partial model A
    parameter Real k = 1;
  end A;
  extends A;
  constant Real k = 1;
  Real x = k;
end M;
//! command check {file}
//! error F114 6:17
