model M
  connector RealOut = output Real;
  block A
    RealOut y = 1;
  end A;
  A a1, a2;
equation
  connect(a1.y, a2.y);
end M;
//! command check {file}
//! error T183 8:3
