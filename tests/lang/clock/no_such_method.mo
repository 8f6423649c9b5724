model M
  Real x(start = 0);
equation
  when Clock(Clock(0.1), "Euler") then
    der(x) = 1;
  end when;
end M;
//! command check {file}
//! error D138 4:3
//! message there is "ImplicitEuler"
