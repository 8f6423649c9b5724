// What an annotation names must be there, and the model is not run without it.
//! command simulate {file} --output -
model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
    annotation(inverse(x = g(y))); //! error F111
  end f;
  Real y = f(time);
end M;
