// After an event several rates begin with one. If its method is explicit, what clusters knew of stiff states bounds
// the step: a step far beyond their stability may end well where they rest, but not be good in between (2.4e-5 off).
//! command simulate {file} --rates 2 --method verner8,rodas4 --tolerance 1e-6 --stop 0.02 --interval 1e-6 --output -
//! near off(0.02) = 0 within 1e-5
//! check {rubato} simulate {file} --rates 2 --method verner8,rodas4 --tolerance 1e-6 --stop 0.02 --interval 1e-6 --quiet --output r.csv && python3 -c "import csv;m=max(abs(float(r['off'])) for r in csv.DictReader(open('r.csv')));assert m<8e-6,m"
model rates_restart
  Real v(start = 10, fixed = true), w(start = 0, fixed = true);
  Real i(start = 1e-4, fixed = true) "Follows v at once";
  Real off = i - 1e-5*v;
  Real s[4](each start = 1, each fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  when sample(0.0005, 0.0005) then
    u = 1 - pre(u);
  end when;
  der(v) = 1000*(w - v);
  der(w) = 500*(20*u - w);
  der(i) = 5e5*(1e-5*v - i);
  for k in 1:4 loop
    der(s[k]) = -10*k*s[k];
  end for;
end rates_restart;
