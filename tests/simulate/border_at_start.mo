// Step functions that stand exactly on a border at the start, or after an event, switch when they
// move off, in either direction; relations and sign, too. A zero of Integer type has no sign.
//! command simulate {file} --model M --stop 1 --intervals 10 --output -
//! near up(0) = -4 within 0
//! near up(0.1) = -3 within 0
//! near down(0) = 2 within 0
//! near down(0.1) = 1 within 0
//! near whole(0.1) = -1 within 0
//! near quotient(0) = -7 within 0
//! near quotient(0.1) = -6 within 0
//! near modulus(0.1) = 0.1 within 1e-12
//! near remainder(0.1) = -0.4 within 1e-12
//! near side(0) = 0 within 0
//! near side(0.1) = -1 within 0
//! near above(0.1) = 1 within 0
//! near below(0.1) = 0 within 0
//! near jumped(0.4) = 1 within 0
//! near jumped(0.6) = 2 within 0
//! check {rubato} simulate {file} --model M --stop 0 --output - 2>/dev/null | tail -1 | tr , "\n" | grep -c -x -e -0 | grep -qx 0
model M
  Real u(start = -3.5, fixed = true), w(start = 2, fixed = true), s(start = 0, fixed = true);
  Real j(start = 0.25, fixed = true);
  Real up = ceil(u - 0.5), down = floor(w), quotient = div(u, 0.5), modulus = mod(-s - 1, 0.5),
    remainder = rem(u - 0.5, 0.5), side = sign(s), jumped = ceil(j);
  Integer whole = integer(s), zero = -integer(s + 0.5), other = -zero;
  Boolean above = u > -3.5, below = w >= 2;
equation
  der(u) = 1;
  der(w) = -1;
  der(s) = -1;
  der(j) = 0.5;
  when time >= 0.5 then
    reinit(j, 1);
  end when;
end M;
