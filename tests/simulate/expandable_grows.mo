// Members of expandable connectors whose sizes connects tell (Modelica 3.6, 9.1.3): declared with `[:]`, or
// added with a subscript; in a loop, as a whole, over two expandable connectors, and asked for with size.
//! command simulate {file} --model M --stop 1 --intervals 1 --output -
//! near t.x(1) = 5 within 1e-12
//! near n(1) = 3 within 1e-12
//! near w.x(1) = 3 within 1e-12
//! near a.bus.v[3](1) = 3 within 1e-12
//! near f(1) = 120 within 1e-12
connector RealOutput = output Real;
connector RealInput = input Real;

expandable connector Bus
  Real v[:];
end Bus;

block Source
  RealOutput y;
end Source;

block Pair
  RealInput u[2];
  Real x = sum(u);
end Pair;

model Sub
  Bus bus;
  Source s[3](y = {1, 2, 3});
equation
  for i in 1:3 loop
    connect(s[i].y, bus.v[i]);
  end for;
end Sub;

// A result with a binding may call its own function.
function factorial
  input Integer n;
  output Integer y = if n <= 1 then 1 else n*factorial(n - 1);
end factorial;

model M
  Bus bus;
  Sub a;
  Pair t, w;
  Source one(y = 1), two(y = 2);
  Integer n = size(a.bus.v, 1);
  Real f = factorial(5);
equation
  connect(w.u, bus.w);
  connect(two.y, bus.w[2]);
  connect(one.y, bus.w[1]);
  connect(bus, a.bus);
  connect(bus.v[2:3], t.u);
end M;
