model M
  function f
    input Integer n;
    output Real y[n];
  algorithm
    y := zeros(n);
  end f;
  Integer k = integer(time);
  Real x[2] = f(3);
  Real z[2] = f(k);
end M;
//! command check {file}
//! error T102 9:15
