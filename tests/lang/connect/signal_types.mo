model M
  connector RealIn = input Real;
  connector BoolOut = output Boolean;
  block A
    BoolOut y = true;
  end A;
  block B
    RealIn u;
    output Real z = u;
  end B;
  A a;
  B b;
equation
  connect(a.y, b.u);
end M;
//! command check {file}
//! error T182 14:3
//! message 'a.y' and 'b.u' cannot be connected
