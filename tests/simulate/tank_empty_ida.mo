// A tank runs empty with any method: the slope of a root at its border is finite, and a sign that the
// root makes continuous causes no events.
//! needs SUNDIALS
//! command simulate {file} --model M --solver ida --stop 4 --intervals 8 --output -
//! stat events_state = 0
//! near a(1) = 0.25 within 1e-5
//! near a(4) = 0 within 1e-4
//! near b(4) = 0 within 1e-4
//! near c(4) = 0 within 1e-4
//! near d(4) = 0 within 1e-4
model M
  Real a(start = 1, fixed = true), b(start = 1, fixed = true), c(start = 1, fixed = true), d(start = 1, fixed = true);
equation
  der(a) = -sqrt(max(a, 0));
  der(b) = -sign(b)*sqrt(abs(b));
  der(c) = -sign(c)*abs(c)^0.5;
  der(d) = -max(d, 0)^0.5;
end M;
