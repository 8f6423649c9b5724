// The level of an assertion may be a parameter, also in an algorithm.
//! command simulate {file} --output - --stop 1
//! warning R105 19:3
//! warning R105 12:5
//! message bad input
//! near y(1) = 1 within 1e-12
model M
  block Check
    parameter AssertionLevel level = AssertionLevel.error;
    input Boolean u;
  equation
    assert(u, "bad input", level);
  end Check;
  Check check(level = AssertionLevel.warning, u = time < 0.5);
  parameter AssertionLevel q = AssertionLevel.warning;
  Real y;
algorithm
  y := time;
  assert(y < 0.3, "y is large", q);
end M;
