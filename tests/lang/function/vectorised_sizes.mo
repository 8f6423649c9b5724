model M
  function f
    input Real u;
    input Real v;
    output Real y;
  algorithm
    y := u + v;
  end f;
  Real x[2] = f({1, 2}, {1, 2, 3});
end M;
//! command check {file}
//! error T163 9:25
