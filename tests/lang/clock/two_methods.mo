model M "one partition has one solver method"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Clock c = Clock(1, 10);
equation
  when Clock(c, "ImplicitEuler") then
    der(x) = 1;
  end when;
  when Clock(c, "ExplicitEuler") then
    der(y) = x;
  end when;
end M;
//! command check {file}
//! error D139 8:3
//! message two solver methods for one partition
