model M
  function f
    input Integer n;
    output Integer y;
  algorithm
    y := f(n + 1);
  end f;
  parameter Integer k = f(1);
  Real x[k];
end M;
//! command check {file}
//! error F150 9:10
//! message calls are nested too deep
