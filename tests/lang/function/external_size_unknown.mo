model M
  function f
    input Integer n;
    output Integer y;
  external "C" y = f(n);
  end f;
  parameter Integer k = f(3);
  Real x[k];
end M;
//! command check {file}
//! error F150 8:10
//! message external function 'f' is not available
