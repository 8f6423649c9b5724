model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model A
    Pin p, n;
  equation
    p.i + n.i = 0;
    p.v - n.v = p.i;
  end A;
  A a, b;
equation
  connect(a.p, b.nn);
  connect(a.n, b.p);
end M;
//! command check {file}
//! error F106 14:18
//! message 'b' has no element 'nn'; did you mean 'n'?
