// A division by zero from 0.5 on is followed back to its row.
//! command simulate {file} --output -
//! error R103 13:3
//! exit 3
//! message the simulation failed at time 0.5: division by zero: d = 0, in the equation for 'der(x)'
//! message first row that gives no finite value: der(x) = 1/d, where der(x) = inf, d = 0
//! message what to try: keep the argument inside its domain
model Divide
  Real x(start=0, fixed=true);
  Real d;
equation
  d = if time < 0.5 then 1 else 0;
  der(x) = 1/d;
end Divide;
