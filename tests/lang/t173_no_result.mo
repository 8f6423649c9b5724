//! command check {file}
model M
  function f
    input Real u;
  algorithm
    assert(u > 0, "negative");
  end f;
  Real x;
equation
  x = f(1); //! error T173
end M;
