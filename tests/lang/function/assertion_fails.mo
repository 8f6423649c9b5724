model M
  function f
    input Integer n;
    output Integer y;
  algorithm
    assert(n > 3, "n is too small");
    y := n;
  end f;
  parameter Integer k = f(1);
  Real x[k];
end M;
//! command check {file}
//! error F150 10:10
//! message n is too small
