model M
  function f
    output Boolean y;
  algorithm
    y := sample(0, 1);
  end f;
  Boolean x = f();
end M;
//! command check {file}
//! error T152 5:10
