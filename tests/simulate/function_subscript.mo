//! command simulate {file} --model M --stop 1 --output -
//! error R115 8:3
//! exit 3
//! message subscript 4 of dimension 1 is outside 1 ... 3
function at
  input Real x[:]; input Integer i; output Real y;
algorithm
  y := x[i];
end at;

model M
  parameter Integer i = 4;
  Real y = at({1, 2, time}, i);
end M;
