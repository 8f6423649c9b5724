// A start value of a parameter counts only where there is no binding.
//! command simulate {file} --model M --stop 1 --intervals 1 --output -
//! near s.y(1) = 101 within 1e-12
//! near r.y(1) = 6 within 1e-12
model M
  model Part
    parameter Integer m = 3;
    parameter Real s = 5;
    parameter Real V[m](start = fill(s, m));
    Real y = V[2] + time;
  end Part;
  parameter Real u = 100;
  Part s(V = fill(u, 3));
  Part r;
end M;
