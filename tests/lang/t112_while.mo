//! command check {file}
model M
  function f
    output Real y;
  algorithm
    y := 0;
    while y loop //! error T112
      y := 1;
    end while;
  end f;
  parameter Integer n = integer(f());
  Real x[n];
end M;
