// Integers that depend on each other: at t = 0 they are 1 and -1, at t = 1 they would be 1.5 and -0.5.
//! command simulate {file} --model M --stop 2 --output -
//! exit 3
//! error R102 11:3
//! message the simulation failed at time 1: the nonlinear system of 2 equations for 'j' has a solution that is no Integer
//! message note: what to try: compute these Integers one after the other, with div() where something is to be divided
model M
  Integer i, j;
equation
  i + j = integer(time);
  i - j = 2;
end M;
