// Linear blocks in parts of a model. What singular ones leave open is the same on every thread, and
// all notice that an event of the whole has changed a matrix.
//! command simulate {file} --rates 3 --tier 0 --tolerance 1e-7 --threads 3,1 --output -
//! near a[3](4) = 0.3 within 1e-12
//! near x[3](4) = -14.5107213447 within 1e-4
//! near x[7](4) = -11.5528672087 within 1e-4
//! check for n in 1 2 4; do {rubato} simulate {file} --rates 3 --tier 0 --tolerance 1e-7 --threads $n,1 --quiet --output $n.csv --trace $n.tr; done; for n in 2 4; do cmp 1.csv $n.csv && cmp 1.tr $n.tr || exit 1; done
model rates_open "Singular linear blocks in parts: what is left open is the same on all threads"
  parameter Integer N = 12;
  Real x[N](start = {1 + 0.1*i for i in 1:N}, each fixed = true);
  Real a[N](each start = 0.3), b[N](each start = 0.2), c[N](each start = 0.1);
  Real s[N](start = {mod(0.37*i, 1) for i in 1:N}, each fixed = true);
  Real g[N];
  Boolean up[N](each start = false, each fixed = true);
  Real p[N], q[N];
  discrete Real f(start = 1, fixed = true);
equation
  when sample(0.7, 0.9) then
    f = pre(f) + 0.5;
  end when;
  for i in 1:N loop
    g[i] = if up[i] then 2 else 1;
    g[i]*a[i] + b[i] + c[i] = x[i];
    g[i]*a[i] + 2*b[i] + c[i] = x[i] + b[i];
    a[i] - c[i] = 0.1*x[i];
    f*p[i] + q[i] = x[i];
    p[i] - f*q[i] = 1;
    der(x[i]) = 20*(sin((5 + i)*time) - a[i]) - p[i];
    der(s[i]) = 0.4 + 0.03*i + 0.01*x[i];
    up[i] = x[i] > 0.3;
    when s[i] > 1 then
      reinit(s[i], 0);
    end when;
  end for;
  annotation(experiment(StopTime = 4));
end rates_open;
//! long
