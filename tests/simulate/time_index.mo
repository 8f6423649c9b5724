// Rows that hold an integer of their own, the index of a loop or of linspace, beside a relation that is seen through to time:
// the integer became the variable of that number, W[1] was -0.56.
//! command simulate {file} --intervals 1 --output -
//! near W[1](0) = 0.2 within 1e-12
//! near W[2](0) = 0.4 within 1e-12
//! near W[3](0) = 0.6 within 1e-12
//! near W[3](1) = 0.6 within 1e-12
//! near y[1](1) = -1 within 0
//! near y[2](1) = -2 within 0
//! near y[3](1) = -3 within 0
//! near k[1](1) = 4 within 0
//! near k[2](1) = 5 within 0
//! near z[2](0) = 5.6 within 1e-12
model time_index
  Real a = time - 2.4, b = time - 2.8, u = sin(3*time);
  Real W[3] = linspace(b, a, 3) - floor(fill(b, 3));
  Integer i = if u < 0.5 then 3 else 2;
  Integer k[2] = if (if b < a then i >= 2 else i <> 3) then 4:5 else -fill(i, 2);
  Real y[3], z[2] = {j*(if a > -2 then 1 else -a) - j*(if b > -2 then 1 else 0.4) + j*0.8 for j in 1:2};
equation
  for j in 1:3 loop
    y[j] = if u > 0.1*j*a + 0.3*j then j else -j;
  end for;
end time_index;
