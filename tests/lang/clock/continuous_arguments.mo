model M "arguments of operators of clocks are clocked, so this is no continuous model"
  model Continuous
    Real x(start = 0, fixed = true); //! error D140
  equation
    der(x) = 1;
  end Continuous;
  Continuous a;
  Real y = hold(a.x);
end M;
//! command check {file}
//! warning D137
