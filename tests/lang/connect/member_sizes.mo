model M
  connector A
    Real v[2];
    flow Real i[2];
  end A;
  connector B
    Real v[3];
    flow Real i[3];
  end B;
  A a;
  B b;
equation
  connect(a, b);
end M;
//! command check {file}
//! error T182 13:3
//! message 'v' has size [2] in 'a' and [3] in 'b'
