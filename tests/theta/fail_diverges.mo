//! command simulate {file} --stop 1 --output r.csv --quiet
//! error R112 9:3
//! message the infinitely fast process of 1 equation for 'x' grows beyond all bounds
//! exit 3
//! stat theta.factorizations <= 400
model M
  Real x(start = 1);
equation
  Rubato.THETA*der(x) = 1 + x^2;
end M;
