model M
  function f
    input Real u;
    output Real y;
  external "C" y = f(v);
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error F100 5:22
