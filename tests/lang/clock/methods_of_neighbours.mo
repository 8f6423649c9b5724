model M "without a method of its own, between two different ones"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real z(start = 0, fixed = true); //! error D139
equation
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = 1;
  end when;
  when Clock(Clock(2, 10), "ExplicitEuler") then
    der(y) = 1;
  end when;
  der(z) = subSample(x, 2) + noClock(y);
end M;
//! command check {file}
//! message could be that of either of its neighbours: ImplicitEuler or ExplicitEuler
