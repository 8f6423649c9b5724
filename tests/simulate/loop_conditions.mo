// Conditions and conditional subscripts on two counters, slices and sums whose ends are counters, an
// if-equation over counters; 180,000 rows are translated too.
//! command simulate {file} --stop 1 --intervals 1 --variables '^(a|b|c|d|e|g)\[|^s$' --output - --set n=4
//! near a[2,2](1) = 4 within 0
//! near a[2,3](1) = 30 within 0
//! near b[3](1) = 9 within 1e-12
//! near c[2](1) = 13 within 1e-12
//! near d[3](1) = 38 within 1e-12
//! near e[2,2](1) = 1 within 0
//! near e[4,1](1) = 1.6666666666666667 within 1e-12
//! near g[1](1) = 1 within 0
//! near g[2](1) = 20 within 0
//! near g[4](1) = 3 within 0
//! check {rubato} check {file} | grep -q '180319 equations, 180319 unknowns'
model LoopConditions
  parameter Integer n = 300;
  Real u[2] = {time + 1, 10}, v[n] = {time + k for k in 1:n};
  Real a[n, n], b[4], c[4], d[4], e[n, n], g[4], s;
equation
  for i in 1:n loop
    for j in 1:n loop
      a[i, j] = u[if i == j then 1 else 2]*j;
    end for;
  end for;
  for k in 1:4 loop
    b[k] = sum(v[1:k]);
    c[k] = sum(v[i]*i for i in 1:k) + max(v[k:4]);
    d[k] = v[1:k]*v[4 - k + 1:4];
  end for;
  for i in 1:n, j in 1:n loop
    if i == j then
      e[i, j] = 1;
    else
      e[i, j] = v[i]/abs(i - j);
    end if;
  end for;
  for i in 1:4 loop
    if i == 1 then
      g[i] = 1;
    elseif i == 4 then
      g[i] = 3;
    else
      g[i] = 10*i;
    end if;
  end for;
  s = a[1, 1] + e[1, 2];
end LoopConditions;
//! long
