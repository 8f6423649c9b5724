// A linear system whose matrix lasts between events: what it is given stays while the matrix changes, changes
// while the matrix stays, and stays again. Solutions that are taken again must be those of their own matrix.
//! command simulate {file} --stop 4 --interval 0.25 --tolerance 1e-8 --output -
//! near x[1](0.5) = 1 within 1e-13
//! near x[3](0.5) = 1 within 1e-13
//! near x[1](1.5) = 0.5 within 1e-13
//! near x[3](1.5) = 0.5 within 1e-13
//! near x[1](2.5) = 0.75 within 1e-13
//! near x[3](2.5) = 0.75 within 1e-13
//! near x[1](3.5) = 2 within 1e-13
//! near x[3](3.75) = 2 within 1e-13
model LinearSolved
  discrete Real k(start = 2, fixed = true);
  Real g = if time < 2 then 1 elseif time < 3 then time - 1 else 2;
  Real x[3];
equation
  when time >= 1 then
    k = 5;
  elsewhen time >= 3 then
    k = 2;
  end when;
  k*x[1] + x[2] = 3*g;
  k*x[2] + x[3] = 3*g;
  k*x[3] + x[1] = 3*g;
end LinearSolved;
