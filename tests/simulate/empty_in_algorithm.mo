// Arrays without elements may be assigned and read in an algorithm; they are no unknowns.
//! command simulate {file} --output -
//! near s(1) = 0 within 1e-12
//! near y(1) = 2 within 1e-12
//! near z(1) = 3 within 1e-12
model M
  parameter Integer n = 0, m = 1;
  Real x[n], s, y;
  Real u[n, 3], v[m], z;
algorithm
  s := 0;
  for i in 1:n loop
    x[i] := i*time;
    s := s + x[i];
  end for;
  y := sum(x) + s + 2*time;
  u := fill(time, n, 3);
algorithm
  for i in 1:m loop
    v[i] := 3*time;
  end for;
  z := sum(v) + sum(u);
end M;
