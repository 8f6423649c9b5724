model M
  function f
    output Real y;
  protected
    input Real u = 1;
  algorithm
    y := u;
  end f;
  Real x = f();
end M;
//! command check {file}
//! error F115 5:16
