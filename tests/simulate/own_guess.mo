// Of two unknowns that break a loop as well, the iteration starts at the one that has a guess of its own:
// d comes first and would lead to h = 9.
//! command simulate {file} --output -
//! near h(0) = 1 within 1e-9
//! near d(1) = 19 within 1e-9
model M
  parameter Real h0 = 1.2;
  Real d;
  Real h(start = h0);
equation
  0 = (h - 1)*(h - 5)*(11 - d);
  d = 20 - h;
end M;
