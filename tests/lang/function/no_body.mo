model M
  function f
    input Real u;
    output Real y;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error F116 6:12
//! message function 'M.f' has neither an algorithm nor an external call
