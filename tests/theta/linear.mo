// Linear processes are solved as linear blocks, and their stability is looked at again only when a matrix changes: no
// factorisation between events.
//! command simulate {file} --stop 1 --intervals 2 --output - --method dopri5
//! near z(1) = 0.8646647167633873 within 1e-5
//! near w(1) = 0.4323323583816936 within 1e-5
//! stat theta.processes = 1
//! stat theta.solves >= 40
//! stat theta.factorizations <= 20
model Linear
  Real x(start = 0, fixed = true), z(start = 5), w(start = 7);
  parameter Real k = 2;
equation
  der(x) = k*(1 - x);
  Rubato.THETA*der(z) = x - z + w - z/k;
  3*Rubato.THETA*der(w) = z - k*w;
end Linear;
