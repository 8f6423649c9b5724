// In a function only the size of the branch that is taken counts.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near y(0.5) = 1.5 within 1e-12
//! near z(0.5) = 1.5 within 1e-12
//! near d(0.5) = -1 within 1e-9
//! near T(1) = 4 within 1e-8
model BranchesOfOtherSizes
  constant Integer n = 2;
  function f
    input Real x[:];
    output Real y;
  protected
    Real z[n] = if size(x, 1) == n then x else cat(1, x, {1 - sum(x)});
  algorithm
    y := z*{1, 2};
  end f;
  function g "as a statement, of three branches"
    input Real x[:];
    output Real y;
  protected
    Real z[:];
  algorithm
    z := if size(x, 1) > n then x[1:n] elseif size(x, 1) == n then x else cat(1, x, {1 - sum(x)});
    y := z*{1, 2};
  end g;
  Real x[1] = {time};
  Real y = f(x), z = g({time, 1 - time, 7}), d = der(y);
  Real T(start = 1) "solved for";
equation
  f({0.5*T}) = 2 - 2*time;
end BranchesOfOtherSizes;
