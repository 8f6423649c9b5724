//! command simulate {file} --set x.start=3 --output -
//! near x(0) = 3 within 1e-12
//! near x(1) = 1.10363832 within 1e-5
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
