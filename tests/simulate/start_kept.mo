// The start value of a state is kept though no condition fixes it; it comes before that of its
// derivative and of algebraic variables.
//! command simulate {file} --model J --stop 2 --intervals 2 --output -
//! warning D122
//! message the start value of v is taken as an initial condition
//! near v(0) = 5 within 1e-12
//! near i(0) = -4 within 1e-12
//! near v(2) = 2.471517764685769 within 1e-5
model J
  Real v(start = 5), i;
equation
  i = 2*der(v);
  i + v = 1;
end J;
