// A delay of a variable in the equation that determines it: y(t) = 1 + y(t - 1)/2 from y = 1 on, and a comb.
//! command simulate {file} --output - --stop 4 --interval 0.25
//! near y(0.5) = 1 within 1e-9
//! near y(1.25) = 1.5 within 1e-6
//! near y(3.75) = 1.875 within 1e-6
//! near z(1.5) = 2 within 1e-6
//! near z(2.75) = 5.25 within 1e-6
model DelayItself
  Real y(start = 1), z;
  Boolean on = time > 0.99;
equation
  y = 1 + (if on then delay(y, 1)/2 else 0);
  z = time + (if on then delay(z, 1) else 0);
end DelayItself;
