model M
  function f
    output Boolean y;
  algorithm
    y := initial();
  end f;
  Boolean x = f();
end M;
//! command check {file}
//! error T152 5:10
