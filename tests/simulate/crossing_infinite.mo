// The distance from the end of the number range overflows, and another crossing is rounding errors only: neither is
// taken apart without end.
//! command simulate {file} --stop 1 --intervals 2 --tolerance 1e-6 --output -
//! near y(1) = 0.36787944117144233 within 1e-5
//! near z(1) = 0.36787944117144233 within 1e-5
model M
  parameter Real never = 1.7976931348623157e308;
  Real x(start = 1, fixed = true), y, z;
  Boolean rough = (x + 1e6) - 1e6 - x > 3e-10;
equation
  der(x) = -x;
  y = smooth(0, if x > never then never else if x < -never then -never else x);
  z = if x*time > never then 1 else x;
end M;
