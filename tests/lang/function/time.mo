model M
  function f
    output Real y;
  algorithm
    y := time;
  end f;
  Real x = f();
end M;
//! command check {file}
//! error T152 5:10
//! message 'time' is not known in a function
