// A subscript outside of its array is no error in a branch that the parameters never take.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near a(1) = 1 within 0
//! near b(1) = 2 within 0
//! near c(1) = 3 within 0
//! near d(1) = 2 within 0
model BranchNotTaken
  parameter Integer n = 2;
  Real x[n] = {1, 2};
  Real a = if n > 2 then x[3] else x[1];
  Real b = if n > 3 then x[4] elseif n > 2 then x[3] else x[2];
  Real c, d;
equation
  c = if n >= 3 then x[1] + x[2] + x[3] else x[1] + x[2];
algorithm
  d := if n > 3 then (if n > 4 then x[5] else x[4]) else x[2];
end BranchNotTaken;
