model M
  partial model A
    Real x;
  end A;
  partial model B
    Boolean x;
  end B;
  extends A;
  extends B;
equation
  x = 1;
end M;
//! command check {file}
//! error F114 9:11
