//! command simulate {file} --model M --stop 1 --output -
//! near p(1) = 6 within 1e-12
//! near x(1) = 3 within 1e-6
function polynomial
  input Real a[:];
  input Real x;
  output Real y = 0;
algorithm
  for i in size(a, 1):-1:1 loop
    y := y*x + a[i];
  end for;
end polynomial;

model M
  Real p = polynomial({1, 2, 3}, time);
  Real x(start = 0, fixed = true);
equation
  der(x) = p;
end M;
