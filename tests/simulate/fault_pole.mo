// The solution has a pole at 0.5: the state, its rate and its equation are named.
//! command simulate {file} --output -
//! error R101 14:3
//! exit 3
//! message the simulation failed at time 0.5: the step became too small for the resolution of time, in 'x'
//! message its equation: der(x) = 1/d, where der(x) = 
//! message what to try: look for a denominator near zero
//! message rubato: 'rubato explain R101' says more
model Divide
  Real x(start=0, fixed=true);
  Real d;
equation
  d = time - 0.5;
  der(x) = 1/d;
end Divide;
