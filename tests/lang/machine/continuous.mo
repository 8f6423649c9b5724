model M "continuous equations need a solver method"
  block S
    Real x(start = 1, fixed = true); //! error D140
  equation
    der(x) = -x;
  end S;
  S a;
equation
  initialState(a);
  when Clock(1, 10) then
    assert(a.x > 0, "negative");
  end when;
end M;
//! command check {file}
