// f does not change; that r is f shows only when R is known, and then the derivatives of r are zero, too. Otherwise the row of
// c lost its own second derivative while that of r stayed: one equation too many there, none here (D103).
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near c(1) = 0.4 within 1e-12
//! near vc(1) = 0 within 0
//! near ac(1) = 0 within 0
//! near a(1) = 0 within 0
model StillAlias
  parameter Real p = 0.15, q = 0.1;
  Real R, S, f, r, v, a, c, vc, ac;
equation
  c = r + q;
  vc = der(c);
  ac = der(vc);
  v = der(r);
  a = der(v);
  r = R*f;
  f = 2*p;
  R = S;
  S = 1;
end StillAlias;
