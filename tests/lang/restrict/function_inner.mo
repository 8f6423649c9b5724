// A function does not reach into the model around its caller.
//! command check {file}
model M
  inner Real q = 1;
  function f
    input Real x;
    output Real y;
  protected
    outer Real q; //! error F115
  algorithm
    y := x;
  end f;
  Real y = f(1);
end M;
