//! command check {file} --model P.M
package P
  connector A
    Real v;
    flow Real i;
  end A;
  connector B
    flow Real v;
    Real i;
  end B;
  model M
    A a;
    B b;
  equation
    connect(a, b); //! error T182
  end M;
end P;
