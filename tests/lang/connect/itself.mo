// A connect of a connector with itself says nothing: both names are the same.
//! command simulate {file} --output - --stop 1 --intervals 1
//! warning T187 19:3
//! message connected with itself
//! near b.p.v(1) = 2 within 0
model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model A
    Pin p;
  equation
    p.v = 2 + p.i;
  end A;
  A a;
  A b;
equation
  connect(a.p, a.p);
end M;
