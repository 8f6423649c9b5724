// No step of the motion has a solution: the equation of w has none for any z.
//! command simulate {file}
//! error R110 13:3
//! exit 3
//! stat theta.factorizations <= 40
//! message the infinitely fast process of 2 equations for
//! message cannot be followed: no step of its motion has a solution
model M
  Real y(start = 1, fixed = true), z(start = 0.5), w(start = 1);
equation
  der(y) = -z;
  Rubato.THETA*der(z) = y - z - w;
  w^2 + z^2 + 1 = 0;
end M;
