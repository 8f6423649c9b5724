model M
  function f
    input Boolean u;
    output Boolean y;
  algorithm
    y := pre(u);
  end f;
  Boolean x = f(time > 1);
end M;
//! command check {file}
//! error T152 6:10
