//! command simulate {file} --output - --stop 1
//! near near.y(1) = 1 within 0
//! near far.y(1) = 2 within 0
// Which side of a branch is nearer to the root decides the equation.
model M
  type T
    extends Real;
    function equalityConstraint
      input T a;
      input T b;
      output Real residue[0];
    end equalityConstraint;
  end T;
  connector C
    T r;
    Real e;
    flow Real f;
  end C;
  model Root
    C c;
  equation
    Connections.root(c.r);
    c.r = 0;
    c.e = 0;
  end Root;
  model Link
    C a, b;
    Real y = if Connections.rooted(a.r) then 1 else 2;
  equation
    Connections.branch(a.r, b.r);
    a.r = b.r;
    a.e = b.e;
    a.f + b.f = 0;
  end Link;
  Root root;
  Link near, far;
equation
  connect(root.c, near.a);
  connect(near.b, far.b);
end M;
