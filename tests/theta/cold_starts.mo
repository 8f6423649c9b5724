// 3,000 cold starts of the scalar example: x is drawn from -1 to 1 and the start value of a from -100 to 100, a
// quarter of them near the kinks. Every process ends in its only equilibrium, within 40 factorisations in the mean.
//! command simulate {file} --stop 0 --output -
//! stat theta.processes = 3000
//! stat theta.followed = 3000
//! stat theta.factorizations <= 40 * theta.solves
//! near wrong(0) = 0 within 0
//! near furthest(0) = 0 within 1e-8
model ColdStarts
  constant Integer N = 3000;
  function draw "N numbers from 0 to 1: Lehmer's generator"
    input Integer n, seed;
    output Real y[n];
  protected
    Real z = seed;
  algorithm
    for i in 1:n loop
      z := mod(16807*z, 2147483647);
      y[i] := z/2147483647;
    end for;
  end draw;
  function s
    input Real a;
    output Real y;
  algorithm
    y := if a > 1 then a/4 + 3/4 else if a < -1 then a/4 - 3/4 else a;
  end s;
  function rest "the solution a of 10*x = s(a)"
    input Real x;
    output Real a;
  algorithm
    a := if x > 0.1 then 40*x - 3 else if x < -0.1 then 40*x + 3 else 10*x;
  end rest;
  parameter Real u[N] = draw(N, 1), v[N] = draw(N, 2014);
  parameter Real x[N] = {if mod(i, 4) == 0 then 0.2*u[i] - 0.1 else 2*u[i] - 1 for i in 1:N};
  parameter Real start[N] = {200*v[i] - 100 for i in 1:N};
  Real a[N](start = start);
  Real off[N] = {abs(a[i] - rest(x[i])) for i in 1:N};
  Real furthest = max(off);
  Real wrong = sum(if off[i] > 1e-8 then 1.0 else 0.0 for i in 1:N);
equation
  for i in 1:N loop
    Rubato.THETA*der(a[i]) = 10*x[i] - s(a[i]);
  end for;
end ColdStarts;
