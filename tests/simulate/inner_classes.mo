// Outer functions, models, packages and records stand for the inner ones around (Modelica 5.4).
//! command simulate {file} --model InnerClasses.Whole --stop 1 --intervals 1 --output -
//! near c.d.y(1) = 6 within 1e-12
//! near s.u.m.z(0) = 2 within 0
//! near s.u.m.extra(0) = 3 within 0
//! near s.u.k(0) = 20 within 0
//! near s.u.r.c(0) = 200 within 0
//! near s.nested.u.m.z(0) = 5 within 0
//! near s.nested.u.k(0) = 20 within 0
package InnerClasses
  partial function A
    input Real u;
    output Real y;
  end A;
  function B
    extends A;
  algorithm
    y := 2*u;
  end B;
  class D
    outer function fc = A;
    Real y = fc(3*time);
  end D;
  class C
    inner function fc = B;
    D d;
  end C;
  model M1 Real z = 1; end M1;
  model M2 Real z = 2; Real extra = 3; end M2;
  model M3 Real z = 5; end M3;
  package P1 constant Real k = 10; end P1;
  package P2 constant Real k = 20; end P2;
  record R1 Real c = 100; end R1;
  record R2 Real c = 200; end R2;
  model User
    outer model M = M1;
    outer package P = P1;
    outer record R = R1;
    M m;
    R r;
    Real k = P.k;
  end User;
  model Between
    inner model M = M3;
    User u;
  end Between;
  model Around
    inner model M = M2;
    inner package P = P2;
    inner record R = R2;
    User u;
    Between nested;
  end Around;
  model Whole
    C c;
    Around s;
  end Whole;
end InnerClasses;
