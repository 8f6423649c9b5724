model M
  function f
    input Integer v[:];
    output Integer y;
  algorithm
    y := v[3];
  end f;
  parameter Integer k = f({1, 2});
  Real x[k];
end M;
//! command check {file}
//! error F150 9:10
//! message out of bounds
