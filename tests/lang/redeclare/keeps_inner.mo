// A redeclaration in an extends-clause, or of an element inherited, keeps the prefix inner and the modifiers.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near b.y(1) = 3 within 0
//! near s.b.y(1) = 3 within 0
//! near r.b.y(1) = 4 within 0
//! near a.z(1) = 9 within 0
package KeepsInner
  model A
    parameter Real x = 1;
  end A;
  model A2
    extends A;
    Real z = 9;
  end A2;
  model B
    outer A a;
    Real y = a.x;
  end B;
  model T
    inner replaceable A a(x = 3);
    B b;
  end T;
  model R
    extends T;
    redeclare A2 a(x = 4);
  end R;
  model M
    extends T(redeclare A2 a);
    T s(redeclare A2 a);
    R r;
  end M;
end KeepsInner;
