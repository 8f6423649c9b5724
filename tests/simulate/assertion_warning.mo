// An assertion of level warning is told once, with its text, and the run goes on.
//! command simulate {file} --output - --stop 1
//! warning R105 9:3
//! message at time 0.5: x is 0.5
//! near x(1) = 1 within 1e-9
model M
  Real x = time;
equation
  assert(x < 0.5, "x is " + String(x), AssertionLevel.warning);
end M;
