model M "functions have no state machines"
  function f
    output Integer n;
  algorithm
    n := ticksInState(); //! error T152
  end f;
  function g
    output Real t;
  algorithm
    t := timeInState(); //! error T152
  end g;
  Integer n = f();
  Real t = g();
end M;
//! command check {file}
