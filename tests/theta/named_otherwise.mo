// A parameter of a type of its own may be called THETA: it is an ordinary number.
//! command simulate {file} --set THETA=2 --output -
//! near x(1) = 0.1353352832366 within 1e-6
model M
  type Damping = Real(unit = "1/s");
  parameter Damping THETA = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -THETA*x;
end M;
