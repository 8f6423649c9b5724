//! command simulate {file} --stop 1 --output r.csv --quiet
//! error R112 10:3
//! message grows beyond all bounds
//! exit 3
//! stat theta.factorizations <= 150
model M
  Real x(start = 1), y(start = 1, fixed = true);
equation
  der(y) = -y;
  Rubato.THETA*der(x) = x - y/2;
end M;
