// Ten steps of the implicit Euler method: x = (1/1.1)^10.
//! command simulate {file} --fixed-step 0.1 --method impl_euler --output -
//! stat steps_accepted = 10
//! near x(1) = 0.385543289430 within 1e-8
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
