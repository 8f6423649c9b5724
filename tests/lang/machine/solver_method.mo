model M "methods of several stages are not for states"
  block S
    Real x(start = 0, fixed = true); //! error D143
  equation
    der(x) = 1;
  end S;
  S a;
equation
  initialState(a);
  when Clock(Clock(1, 10), "ExplicitRungeKutta4") then
    assert(a.x < 9, "x is too large");
  end when;
end M;
//! command check {file}
