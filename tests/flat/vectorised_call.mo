//! command flat {file}
//! output x = M.f({1, 2, 3})
model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end f;
  Real x[3];
equation
  x = f({1, 2, 3});
end M;
