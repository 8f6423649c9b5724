//! command flat {file} --model P.M
//! output Real d.q.y = 2
package P
  model One
    Real y = 1;
  end One;
  model Two
    Real y = 2;
  end Two;
  model Base
    replaceable model Q = One;
    Q q;
  end Base;
  model Derived
    extends Base(redeclare model Q = Two);
  end Derived;
  model M
    Derived d;
  end M;
end P;
