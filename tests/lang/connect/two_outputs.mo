model M
  connector RealOut = output Real;
  connector RealIn = input Real;
  block A
    RealOut y = 1;
  end A;
  block B
    RealIn u;
    output Real z = u;
  end B;
  A a1, a2;
  B b;
equation
  connect(a1.y, b.u);
  connect(a2.y, b.u);
end M;
//! command check {file}
//! error T183 15:3
//! message 'a2.y' and 'a1.y' both give a value to 'b.u'
