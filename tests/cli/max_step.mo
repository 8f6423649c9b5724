// The exact solution needs few steps; no step is longer than 0.01, of our methods and of a library.
//! command simulate {file} --max-step 0.01 --output -
//! stat steps_accepted >= 100
//! stat steps_accepted <= 110
//! near x(1) = 0.36787944 within 1e-6
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
