model M
  connector A
    Real v;
    flow Real i;
  end A;
  connector B
    Boolean v;
    flow Real i;
  end B;
  A a;
  B b;
equation
  connect(a, b);
end M;
//! command check {file}
//! error T182 13:3
//! message 'v' is Real in 'a' and Boolean in 'b'
