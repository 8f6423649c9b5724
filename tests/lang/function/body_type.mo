model M
  function f
    input Real u;
    output Boolean y;
  algorithm
    y := u;
  end f;
  Boolean x = f(1);
end M;
//! command check {file}
//! error T103 6:5
