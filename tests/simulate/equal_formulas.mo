// Variables that two rows give by the same formula are one, also through signs, numbers and other such
// variables; a formula with a relation belongs to its row.
//! command simulate {file} --output - --interval 0.5 --stop 1 --tolerance 1e-8
//! check {rubato} simulate {file} --dump=aliases --stop-after=aliases > a; for x in 'b = -a' 'd = -c' 'g = c'; do grep -qx "$x" a || exit 1; done; ! grep -q '^k =' a
//! near phi(1) = 0.5403023058681398 within 1e-6
//! near b(1) = -0.5143952585235492 within 1e-6
//! near d(1) = -0.10745362108578554 within 1e-6
//! near h(1) = 1 within 0
//! near k(1) = 1 within 0
model EqualFormulas
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true), psi;
  Real a, b, c, d, g, h, k, one;
equation
  der(phi) = w;
  der(w) = -phi;
  one = 1;
  psi*one = phi;
  a = sin(phi);
  b = -sin(psi);
  c = a*w + phi;
  d = b*w - psi;
  g = one*a*w + psi;
  h = if phi > 0.2 then 1 else 2;
  k = if phi > 0.2 then 1 else 2;
end EqualFormulas;
