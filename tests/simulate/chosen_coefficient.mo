// Parameters that are no numbers decide which coefficient of x vanishes: no formula may divide by
// that one.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near x(1) = 3 within 1e-9
//! near y(1) = 2 within 1e-9
model ChosenCoefficient
  parameter Integer axis = 2, c = axis;
  parameter Boolean first = c == 1;
  Real x, y(start = 1);
equation
  (if c == 2 then 1 else 0)*x + y^5 + y = 37;
  (if first then 1 else 0)*x + y^3 + y = 10;
end ChosenCoefficient;
