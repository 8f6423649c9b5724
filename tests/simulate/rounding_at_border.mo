// In the branch of b = v >= high the solution is high, but for rounding: 0.3 - 0.2 is below 0.1, and the other branch
// contradicts itself, too. The relation keeps its side where rounding alone contradicts it; without that rule the system
// had no consistent branch at the end of the run.
//! command simulate {file} --stop 3 --output -
//! near v(0) = 0.1 within 1e-12
//! near i(0) = 3.8 within 1e-12
//! near v(3) = 0.1 within 1e-12
//! near i(3) = 4.4 within 1e-12
//! near b(3) = 1 within 0
model rounding_at_border
  parameter Real a = 0.2, c = 0.3, high = 0.1;
  Real v(start = 1), i;
  Boolean b;
equation
  b = v >= high;
  if b then
    v + a = c;
  else
    i = 1;
  end if;
  v = 2 - 0.5*i + 0.1*time;
end rounding_at_border;
