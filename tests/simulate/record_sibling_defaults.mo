// Defaults of record elements that use their siblings, when translating and in the run.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near c1(0) = 4 within 0
//! near v1(0) = 4 within 0
//! near c2(0) = 8 within 0
//! near v2(0) = 8 within 0
//! near c3(0) = 20 within 0
//! near v3(0) = 20 within 0
//! near c4.c(0) = 28 within 0
//! near c5.c(0) = 40 within 0
//! near c5.n.b(0) = 31 within 0
//! near p.c(0) = 40 within 0
model RecordSiblingDefaults
  record N Real a = 1; Real b = a + 1; end N;
  record R Real c = a + b; Real a = 2; Real b = 3*a; N n(a = b); end R;
  function f input Real x; output Real y; protected R r(a = x); algorithm y := r.c; end f;
  function g input Real x; output Real y; protected R r; algorithm r.a := x; y := r.c; end g;
  function h input R r = R(a = 5); output Real y; algorithm y := r.c; end h;
  function k input Real x; output R r(a = x); algorithm end k;
  constant Real c1 = f(1), c2 = g(1), c3 = h();
  constant R c4 = k(7), c5 = R(a = 10);
  Real v1 = f(1 + 0*time), v2 = g(1 + 0*time), v3 = h();
  parameter R p(a = 10);
end RecordSiblingDefaults;
