model M
  connector A
    Real p;
    flow Real m;
    stream Real h;
  end A;
  connector B
    Real p;
    flow Real m;
    Real h;
    flow Real n;
  end B;
  A a;
  B b;
equation
  connect(a, b);
end M;
//! command check {file}
//! error T182 16:3
//! message 'h' is stream in 'a' but not in 'b'
