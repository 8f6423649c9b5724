model M
  function f
    input Real u = v;
    input Real v = u;
    output Real y;
  algorithm
    y := u + v;
  end f;
  Real x = f();
end M;
//! command check {file}
//! error F125 4:20
