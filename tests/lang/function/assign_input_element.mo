model M
  function f
    input Real u[2];
    output Real y;
  algorithm
    u[1] := 2;
    y := u[1];
  end f;
  Real x = f({1, 2});
end M;
//! command check {file}
//! error T175 6:5
