// A loop through a when-equation: at its event both are solved together, y = 7 - 2*x, x + y = 5.
//! command simulate {file} --model M --stop 1 --intervals 4 --output -
//! near x(0.25) = 4 within 1e-9
//! near y(0.25) = 1 within 1e-9
//! near x(0.75) = 2 within 1e-9
//! near y(0.75) = 3 within 1e-9
//! near v(0.25) = 1.5159802277 within 1e-7
//! near v(0.75) = 1 within 1e-7
model M
  Real x, v(start = 1);
  discrete Real y(start = 1), w(start = 0);
equation
  when time > 0.5 then
    y = 7 - 2*x;
    w = 3 - v^2;
  end when;
  x + y = 5;
  v^3 + v + w = 5 + 0*time - (if time > 0.5 then 1 else 0);
end M;
