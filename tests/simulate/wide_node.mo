// Hundreds of parts on one node: the sum of their flows is a tree of narrow sums, and the numbers are the same.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near ground.p.i(1) = 0 within 1e-6
//! near source.p.i(1) = -125251 within 1e-6
//! near spread(1) = 0 within 1e-9
//! check {rubato} check {file} --dump rows > rows; test "$(wc -L < rows)" -lt 2000
model WideNode
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Conductor
    Pin p, n;
    parameter Real G = 1;
  equation
    p.i + n.i = 0;
    p.i = G*(p.v - n.v);
  end Conductor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Source
    Pin p, n;
  equation
    p.i + n.i = 0;
    p.v - n.v = 1;
  end Source;
  model Two "A pin of its own, from inside with the other sign"
    Pin a, b;
    Conductor c;
  equation
    connect(a, c.p);
    connect(b, c.n);
  end Two;
  Ground ground;
  Source source;
  Conductor g[500](G = 1:500);
  Two more;
  Real spread = max(g.p.i - (1:500));
equation
  connect(source.n, ground.p);
  for k in 1:500 loop
    connect(source.p, g[k].p);
    connect(g[k].n, ground.p);
  end for;
  connect(more.a, source.p);
  connect(more.b, source.n);
end WideNode;
