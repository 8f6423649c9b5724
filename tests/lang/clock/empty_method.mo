model M "an empty method is none"
  Real x(start = 0, fixed = true); //! error D140
equation
  when Clock(Clock(Clock(1, 10), "ImplicitEuler"), "") then
    der(x) = 1;
  end when;
end M;
//! command check {file}
