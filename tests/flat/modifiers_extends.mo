//! command flat {file}
//! output parameter Real x.k = 5
//! output Real x.y(start = 7, unit = "m") = x.k
model M
  model A
    parameter Real k = 1;
    Real y(unit = "m") = k;
  end A;
  model B
    extends A(k = 5, y(start = 7));
  end B;
  B x;
end M;
