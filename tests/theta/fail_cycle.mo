//! command simulate {file} --stop 1 --output r.csv --quiet
//! error R111 10:3
//! message the infinitely fast process of 2 equations for 'x', 'y' does not come to rest
//! exit 3
//! stat theta.factorizations <= 40
model M "A process that turns in circles for ever"
  Real x(start = 1), y(start = 0);
equation
  Rubato.THETA*der(x) = y;
  Rubato.THETA*der(y) = -x;
end M;
