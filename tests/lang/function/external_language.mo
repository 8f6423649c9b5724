model M
  function f
    input Real u;
    output Real y;
  external "Pascal" y = f(u);
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error F119 5:12
//! message external functions are written in C or FORTRAN 77
