//! command check {file}
model M
  function f
    input Foo u; //! error F101
    output Real y;
  algorithm
    y := 1;
  end f;
  Real x = f(1);
end M;
