//! command simulate {file} --output -
//! near a[1,3](1) = 0.5 within 1e-12
//! near a[3,1](1) = -0.5 within 1e-12
//! near b[1,2](1) = -3 within 1e-12
//! near b[2,4](1) = 2 within 1e-12
//! near b[4,1](1) = 4 within 1e-12
//! near b[3,3](1) = 1 within 1e-12
//! near w[1](1) = 7 within 1e-12
//! near w[4](1) = 10 within 1e-12
//! near part[2].y(1) = 20 within 1e-12
//! near part[3].y(1) = 0 within 1e-12
//! near p(1) = 2 within 1e-12
//! near q(0.4) = 1.2 within 1e-6
model LoopIfEquations "if over loop counters: several equations a branch, nested, of unequal number"
  constant Integer N = 5;
  Real a[N, N], b[N, N], w[N];
  function two
    input Real x;
    output Real p;
    output Real q;
  algorithm
    p := 2*x;
    q := x;
  end two;
  model Part
    parameter Integer kind = 1;
    parameter Integer n = 2;
    Real y, z[n];
  equation
    if kind == 1 then
      y = 10*n;
      z = fill(y, n);
    else
      y = 0;
      for i in 1:n loop
        if i == kind then
          z[i] = i;
        else
          z[i] = 0;
        end if;
      end for;
    end if;
  end Part;
  Part part[3](kind = {1, 1, 2});
  Real p, q;
equation
  for i in 1:N loop
    for j in 1:N loop
      if i == j then
        a[i, j] = 0;
        b[i, j] = 1;
      elseif j > i then
        a[i, j] = time/abs(i - j);
        if mod(i + j, 2) == 0 then
          b[i, j] = 2;
        else
          b[i, j] = 3/(i - j);
        end if;
      else
        a[i, j] = -time/abs(i - j);
        b[i, j] = 4;
      end if;
    end for;
    if i == 1 then
      w[1] = 7;
      w[N] = 11;
    elseif i < N then
      w[i] = w[i - 1] + 1;
    end if;
  end for;
  if time > 0.5 then
    (p, q) = two(time);
  else
    (q, p) = two(1.5*time);
  end if;
end LoopIfEquations;
