model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u^2;
  end f;
  function df = der(f, u);
  Real x = df(time);
end M;
//! command check {file}
//! error F903 9:12
