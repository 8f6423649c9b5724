// A nominal value of 0 counted as 1 without a word.
//! command check {file}
model nominal_zero
  Real x(start = 1, fixed = true, nominal = 0); //! warning T198
  Real y[2](each start = 1, each fixed = true, nominal = {2, 0}); //! warning T198
  Real z(start = 1, fixed = true, nominal = -3);
equation
  der(x) = -x;
  der(y) = -y;
  der(z) = -z;
end nominal_zero;
