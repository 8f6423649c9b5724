//! needs cvode
//! command simulate {file} --max-step 0.01 --solver cvode --output -
//! stat steps_accepted >= 100
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
