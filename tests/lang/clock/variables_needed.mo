model M "operators of events need variables, not clocked operators"
  Real x(start = 0), a, b, c;
  Boolean d, e;
equation
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = 1;
    a = pre(previous(x)); //! error T150
    b = pre(sample(time)); //! error T150
    c = previous(der(x)); //! error T150
    d = edge(firstTick()); //! error T150
    e = change(interval(x)); //! error T150
  end when;
end M;
//! command check {file}
//! message 'pre' needs a variable
//! message 'edge' needs a variable
//! message 'change' needs a variable
//! message 'previous' needs a variable
