// What is 0, 1 or -1 for good is taken out of rows, and what parameters alone give has no speed: of the
// product with the orientation of a fixed frame nothing is left.
//! command simulate {file} --output - --interval 0.5 --stop 1 --tolerance 1e-8
//! check {rubato} simulate {file} --dump=aliases --stop-after=aliases > a; for x in 'one = 1' 'minus = -1' 'zero = 0' 'v = 0' 'a = 0' 'Q = -S' 'y = S' 'z = -S' 'u = r'; do grep -qx "$x" a || exit 1; done
//! near phi(1) = 0.5403023058681398 within 1e-6
//! near y(1) = -0.857553215846393 within 1e-6
//! near z(1) = 0.857553215846393 within 1e-6
//! near u(1) = 2 within 0
model Numbers
  parameter Real length = 2;
  Real one, minus, zero, r, v, a, phi(start = 1, fixed = true), w(start = 0, fixed = true);
  Real S, Q, y, z, u;
equation
  one = 1;
  one + minus = 0;
  zero = one - minus*minus;
  r = one*length;
  v = der(r);
  a = der(v);
  der(phi) = w;
  der(w) = a - phi*one;
  S = -cos(phi);
  Q = minus*S + zero*sin(phi);
  y = minus*Q + v;
  z*one = -y;
  u = r + v*phi;
end Numbers;
