model M
  function f
    input Integer n;
    output Integer y;
  algorithm
    y := n;
    while y > 0 loop
      y := y + 1;
    end while;
  end f;
  parameter Integer k = f(1);
  Real x[k];
end M;
//! command check {file}
//! error F150 12:10
//! message does not end
//! long
