model M
  function f
    input Real u;
    output Real y;
  algorithm
    u := 2;
    y := u;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error T175 6:5
//! message input 'u' cannot be assigned
