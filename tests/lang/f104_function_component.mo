//! command check {file}
model M
  function f
    output Real y;
  algorithm
    y := 1;
  end f;
  f x; //! error F104
end M;
