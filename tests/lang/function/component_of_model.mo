model M
  model A
    Real x = 1;
  end A;
  function f
    input Real u;
    output Real y;
  protected
    A a;
  algorithm
    y := u;
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error F115 9:7
