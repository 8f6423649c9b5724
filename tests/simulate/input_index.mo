//! command simulate {file} --stop 1 --output -
//! near s(1) = 58.9051376 within 1e-4
//! near y(1) = 1.3585008 within 1e-4
// Loop indices and relations that are kept stand beside inputs of time, and are no variables.
model InputIndex
  parameter Integer n = 7;
  Real u[n], x[n](each start = 0, each fixed = true);
  Real s = sum(x), y(start = 0, fixed = true);
equation
  for i in 1:n loop
    u[i] = i*sin(time) + i;
    der(x[i]) = i*cos(0.3*i*time) + u[i];
  end for;
  der(y) = (if y > 0.5 then sin(time) else cos(time)) + u[1]*(if x[1] > 1 then 0.5 else 0.25);
end InputIndex;
