model M
  function f
    input Real u;
  algorithm
    assert(u > 0, "u");
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error T173 7:12
