model M
  connector A
    Real v;
    flow Real i;
  end A;
  connector B
    Real v;
    flow Real i;
    parameter Real k = 1;
  end B;
  A a;
  B b;
equation
  connect(a, b);
end M;
//! command check {file}
//! error T182 14:3
//! message only 'b' has 'k'
