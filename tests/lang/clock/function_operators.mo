model M "no operator of clocks stands in a function"
  function f
    input Real u;
    output Real y;
  protected
    Clock c; //! error T196
  algorithm
    y := interval();
  end f;
  function g
    input Real u;
    output Real y;
  algorithm
    y := interval(Clock(1)); //! error T152
    y := previous(u); //! error T152
    y := sample(u); //! error T152
    y := if firstTick(u) then 1 else 0; //! error T152
  end g;
  Real x = f(1) + g(1);
end M;
//! command check {file}
//! message clock 'c' cannot be a variable of a function
//! message 'Clock' is not allowed in a function
