// Parallel capacitors behind a transformer: the constraint leaves one start value, and the other
// one is compared with what follows from it.
//! command simulate {file} --model M --stop 1 --output -
//! exit 3
//! warning D121 10:14
//! message 10:43: note: one of them is the fixed start value of 'v2'
//! error R107 10:14
//! message the fixed start value of 'v1' does not hold: the fixed start value of 'v2' (
//! message 10:43) determines another value
model M Real v1(start = 1, fixed = true), v2(start = 2, fixed = true);
  Real i1, i2;
  parameter Real k = 3;
equation
  i1 = der(v1);
  i2 = 2*der(v2);
  v1 = k*v2;
  i1 + i2 = -v1;
end M;
