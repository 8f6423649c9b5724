//! needs cvode
//! command simulate {file} --fixed-step 0.1 --solver cvode
//! exit 2
//! message --solver cvode chooses its own steps: a fixed step needs rk
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
