// Ten Euler steps of 0.1: x = 0.9^10, whatever the error is.
//! command simulate {file} --fixed-step 0.1 --method euler --output -
//! stat steps_accepted = 10
//! stat steps_rejected = 0
//! near x(1) = 0.3486784401 within 1e-12
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
