model M
  connector RealIn = input Real;
  block B
    RealIn u;
    output Real z = u;
  end B;
  B b1, b2;
equation
  connect(b1.u, b2.u);
end M;
//! command check {file}
//! error T188 9:3
//! message nothing gives a value to 'b1.u'
