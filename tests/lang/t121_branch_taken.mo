// A subscript outside of its array is an error in a branch that is taken, or that may be.
//! command check {file} --quiet
model BranchTaken
  parameter Integer n = 2;
  parameter Boolean late(fixed = false);
  Real x[n] = {1, 2};
  Real a = if n < 3 then x[3] else x[1]; //! error T121
  Real b = if time < 3 then x[4] else x[1]; //! error T121
  Real c = if late then x[5] else x[1]; //! error T121
  Real d = if n > 3 then x[1] else (if n < 3 then x[6] else 0); //! error T121
initial equation
  late = false;
end BranchTaken;
