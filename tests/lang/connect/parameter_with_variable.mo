model M
  connector A
    Real v;
    flow Real i;
    parameter Real k = 1;
  end A;
  connector B
    Real v;
    flow Real i;
    Real k;
    flow Real j;
  end B;
  A a;
  B b;
equation
  connect(a, b);
end M;
//! command check {file}
//! error T182 16:3
