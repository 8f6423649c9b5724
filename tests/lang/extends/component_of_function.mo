model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  f x;
end M;
//! command check {file}
//! error F104 8:5
