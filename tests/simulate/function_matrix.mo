//! command simulate {file} --model M --stop 1 --output -
//! near z[1](1) = 3 within 1e-12
//! near z[2](1) = 7 within 1e-12
//! near g(1) = 30 within 1e-12
function times
  input Real A[:, :];
  input Real x[size(A, 2)];
  output Real y[size(A, 1)];
algorithm
  y := A*x;
end times;

function squares "an array that grows"
  input Integer n;
  output Real v[:];
algorithm
  v := fill(0.0, 0);
  for i in 1:n loop
    v := cat(1, v, {i*i});
  end for;
end squares;

model M
  Real z[2], g;
equation
  z = times([1, 2; 3, 4], {time, 1});
  g = sum(squares(4));
end M;
