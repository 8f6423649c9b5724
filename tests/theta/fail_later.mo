//! command simulate {file} --stop 1 --output r.csv --quiet
//! error R112 11:3
//! message the simulation failed at time 0.5
//! message grows beyond all bounds
//! exit 3
//! stat theta.factorizations <= 27000
model M "The equilibrium exists until y = 0"
  Real x(start = 1), y(start = 0.5, fixed = true);
equation
  der(y) = -1;
  Rubato.THETA*der(x) = y - x^2;
end M;
