// Powers of a matrix, with exponents that are known when translating and in the run only; their
// derivative.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near B[2,2](0) = 118 within 0
//! near Z[1,1](0) = 1 within 0
//! near Z[1,2](0) = 0 within 0
//! near F[1,2](0) = 10 within 0
//! near F[1,2](1) = 2 within 0
//! near G[2,1](1) = 3 within 0
//! near H[2,2](0) = 30 within 0
//! near D[1,2](1) = 12 within 1e-12
//! near d[1,2](1) = 12 within 1e-12
//! near e(1) = 36 within 1e-11
model MatrixPower
  parameter Real A[2, 2] = [1, 2; 3, 4];
  parameter Integer n = 3;
  Real B[2, 2] = A^n, Z[2, 2] = A^0, F[2, 2] = A^k, G[2, 2] = f(A, k);
  Real x = time + 1;
  Real D[2, 2] = [x, 1; 0, x]^3, d[2, 2] = der(D), e = der(sum([x, 1; 0, x]^m));
  parameter Integer m = 3;
  Integer k = if time < 0.5 then 2 else 1;
  function f
    input Real M[:, :];
    input Integer n;
    output Real y[size(M, 1), size(M, 1)];
  algorithm
    y := M^n + 2*M^(n - 1);
  end f;
  constant Real H[2, 2] = f([1, 2; 3, 4], 2);
end MatrixPower;
