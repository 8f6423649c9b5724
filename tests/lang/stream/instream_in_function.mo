model M
  function f
    input Real h;
    output Real y;
  algorithm
    y := inStream(h);
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T150 6:19
