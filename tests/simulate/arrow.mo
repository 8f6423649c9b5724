// One state that depends on all others does not make the Jacobian dense: a dense one would need
// more than a gigabyte here.
//! command simulate {file} --method radauIIA5 --stop 0.1 --intervals 1 --variables ^(s|x.1.)$ --output -
//! near x[1](0.1) = 0.9001625 within 1e-5
model Arrow
  parameter Integer N = 12000;
  Real s(start = 0, fixed = true);
  Real x[N](each start = 1, each fixed = true);
equation
  der(s) = -sum(x)/N;
  for i in 1:N loop
    der(x[i]) = s - x[i];
  end for;
end Arrow;
//! long
