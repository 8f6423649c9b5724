model M
  parameter Integer n = 3 "a size";
  parameter Boolean use = false "a condition";
  parameter Real k = 2 "stays changeable";
  parameter Real e = 1 annotation(Evaluate = true);
  Real x[n] = fill(k*e, n);
  Real y = 1 if use;
end M;
//! command check {file}
//! output structural: n (needed at structural.mo:6:10)
//! output structural: use (needed at structural.mo:7:17)
