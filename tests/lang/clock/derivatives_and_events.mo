model M "derivatives, pre, edge and change of clocked variables with a solver method"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), energy, power, p, h, dh;
  Integer n(start = 0), m;
  Boolean b(start = false), up, other;
equation
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = v;
    der(v) = -x;
    energy = x^2 + v^2;
    power = der(energy) + der(2*x) "of expressions";
    n = previous(n) + 1;
    m = pre(n) + previous(n);
    b = x > 0.5;
    up = edge(b);
    other = change(b) or change(n);
    p = delay(previous(x), 0.1);
  end when;
  h = hold(x);
  dh = der(h);
end M;
//! command check {file}
