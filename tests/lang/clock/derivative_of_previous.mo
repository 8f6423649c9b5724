model M "what changes from tick to tick has no derivative"
  Real x(start = 0), a, b, c, d;
equation
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = 1;
    a = der(previous(x)); //! error T150
    b = der(x + previous(x)); //! error T150
    c = der(x*interval(x)); //! error T150
    d = der(if firstTick() then x else 0); //! error T150
  end when;
end M;
//! command check {file}
//! message 'der' needs a value that changes with time: 'previous' has no derivative
//! message 'interval' has no derivative
//! message 'firstTick' has no derivative
