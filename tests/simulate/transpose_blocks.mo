// transpose exchanges the first two dimensions, whatever lies below them.
//! command simulate {file} --output -
//! near b(1) = 23 within 1e-12
//! near c(1) = 321 within 1e-12
//! near d(1) = 321 within 1e-12
model M
  parameter Real P[2, 3, 2] = {{{100*i + 10*j + k for k in 1:2} for j in 1:3} for i in 1:2};
  parameter Real Q[3, 2, 2] = transpose(P);
  Real A[2, 3, 4] = {{{(100*k + 10*j + i)*time for k in 1:4} for j in 1:3} for i in 1:2};
  Real B[3, 2, 4] = transpose(A);
  Real b, c, d;
equation
  b = (Q[3, 2, 1] - 208)*time;
  c = B[2, 1, 3];
  d = A[1, 2, 3];
end M;
