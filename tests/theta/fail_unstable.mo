//! command simulate {file} --stop 1 --output r.csv --quiet
//! error R113 10:3
//! message the infinitely fast process of 1 equation for 'x' starts at an equilibrium that is not stable
//! message what to try: a start value beside the unstable equilibrium
//! exit 3
//! stat theta.factorizations <= 4
model M
  Real x(start = 0);
equation
  Rubato.THETA*der(x) = x - x^3;
end M;
