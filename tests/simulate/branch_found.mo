// One of the eight branches is consistent; which one is not where the start values are.
//! command simulate {file} --model M --stop 0 --output -
//! near x(0) = 5 within 1e-9
//! near y(0) = -4 within 1e-9
model M
  Real x(start = -10), y(start = 10);
  Boolean a = x > 3, b = y > 2, c = x + y > 0;
equation
  x = if a and not b then 5 else if c then -8 else -6;
  y = if a and c then -4 else if b then 1 else 3;
end M;
