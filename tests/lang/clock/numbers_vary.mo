model M "numbers that shape the clocks are known when translating"
  Integer n(start = 1), m(start = 10);
  Real d(start = 1, fixed = true), z(start = 0, fixed = true);
  String s = if n > 2 then "ImplicitEuler" else "ExplicitEuler";
  Real x = sample(time, Clock(time > 0.5, d)); //! error D148
  Real y = shiftSample(x, n, 3); //! error D148
  Real v = backSample(x, 1, n); //! error D148
equation
  der(d) = 1;
  when Clock(n, m) then //! error D148
    n = previous(n);
    m = previous(m);
  end when;
  when Clock(Clock(1, 10), s) then //! error D148
    der(z) = 1;
  end when;
end M;
//! command check {file}
//! message the start interval of a clock must be known when translating
//! message the counter must be known when translating
//! message the resolution must be known when translating
//! message the resolution of a clock must be known when translating
//! message the solver method of a clock must be known when translating
