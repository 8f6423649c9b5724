// What a condition guards may end exactly where the condition does: a root, a logarithm, a function with
// an assertion. The event is taken at the border, and the other branch goes on.
//! command simulate {file} --stop 3 --intervals 30 --tolerance 1e-8 --output -
//! near level(1) = 0.25 within 1e-6
//! near level(3) = 0 within 1e-6
//! near root(3) = 0.666666666666667 within 1e-6
//! near w(2) = 0 within 0
//! near checked(0.5) = 0.5 within 1e-9
//! near checked(3) = 1 within 1e-6
//! near v(3) = -7 within 0
//! near n(3) = 1 within 0
// Likewise where the event is a local one and clusters come to the border.
//! check for t in 1e-5 1e-6 3e-7 1e-7 3e-8 1e-8; do for r in auto 2 3 '2 --method radauIIA3,rodas4'; do {rubato} simulate {file} --stop 3 --tolerance $t --rates $r --quiet --output r.csv || exit 1; python3 -c "import csv;r=list(csv.DictReader(open('r.csv')))[-1];assert abs(float(r['level']))<1e-6 and abs(float(r['root'])-2/3)<1e-3 and float(r['n'])==1,r" || exit 1; done; done
model GuardedBorder
  function positive
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "x must not be negative");
    y := 1;
    annotation (Inline = false);
  end positive;
  Real level(start = 1, fixed = true), root(start = 0, fixed = true);
  Real checked(start = 0, fixed = true), x(start = 1, fixed = true);
  Real w = if x > 0 then sqrt(x) else 0;
  Real v = if x > 0 then x*log(x) else -7;
  discrete Integer n(start = 0, fixed = true);
equation
  der(level) = if level > 0 then -sqrt(level) else 0;
  der(x) = -1;
  der(root) = w;
  der(checked) = if x >= 0 then positive(x) else 0;
  when w <= 0 then
    n = pre(n) + 1;
  end when;
end GuardedBorder;
//! long
