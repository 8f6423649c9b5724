// Initial equations that say the same of two variables that are one.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near y(1) = 0.36787944117144233 within 1e-5
model M
  Real x, y;
equation
  der(x) = -x;
  x = y;
initial equation
  x = 1;
  y = 1;
end M;
