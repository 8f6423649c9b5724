// A state event that starts a chain of when-clauses: all of them belong to one instant, in which a vector
// of conditions fires once and pre is still the value before.
//! command simulate {file} --stop 3 --output -
//! near x(3) = 0.049787068 within 1e-5
//! near n(3) = 1 within 0
//! near y(3) = 0 within 0
//! near s(3) = 6 within 0
model EventChain
  Real x(start=1, fixed=true);
  discrete Integer a(start=0, fixed=true), b(start=0, fixed=true), c(start=0, fixed=true), n(start=0, fixed=true), y(start=0, fixed=true), s(start=0, fixed=true);
equation
  der(x) = -x;
  when x < 0.5 then
    a = pre(a) + 1;
  end when;
  when a > pre(a) then
    b = pre(b) + 1;
  end when;
  when change(b) then
    c = pre(c) + 1;
  end when;
  when {a > 0.5, b > 0.5, c > 0.5} then
    n = pre(n) + 1;
  end when;
  when c >= 1 then
    y = pre(n);
    s = 6;
  end when;
end EventChain;
