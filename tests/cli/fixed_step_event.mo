// A step ends at an event, the next ones are as long as asked for: 0.1 ... 0.5, 0.55, 0.65 ... 1.
//! command simulate {file} --fixed-step 0.1 --method rk4 --output -
//! stat steps_accepted = 11
//! near x(1) = 1.45 within 1e-12
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = if time > 0.55 then 2 else 1;
end M;
