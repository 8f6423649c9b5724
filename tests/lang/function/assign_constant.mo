model M
  function f
    input Real u;
    output Real y;
  protected
    constant Real c = 2;
  algorithm
    c := 3;
    y := c;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T176 8:5
