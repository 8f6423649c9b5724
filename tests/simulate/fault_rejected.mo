// A trial step that leaves the domain of the root is rejected; smaller ones do.
//! command simulate {file} --stop 0.039 --output -
//! near x(0.039) = 0.000625 within 1e-6
model Rejected
  Real x(start = 1, fixed = true);
equation
  der(x) = -50*sqrt(x);
end Rejected;
