//! command flat {file}
//! output parameter Real b.a.k = 3
//! output parameter Real c.a.k = 2
model M
  model A
    parameter Real k = 1;
    Real y = k;
  end A;
  model B
    A a(k = 2);
  end B;
  B b(a(k = 3));
  B c;
end M;
