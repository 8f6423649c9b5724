// Subroutines of LAPACK: while translating and while running, by columns and by address.
//! command simulate {file} --output - --stop 1
//! near x[1](1) = 1 within 1e-12
//! near x[2](1) = -2 within 1e-12
//! near z[1](1) = 2 within 1e-12
//! near z[2](1) = -4 within 1e-12
//! near n(1) = 3 within 0
//! near info(1) = -4 within 0
//! near again(1) = -4 within 0
model ExternalLapack
  function solve
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(A, 1)] = b;
    output Integer info;
  protected
    Integer n = size(A, 1);
    Real W[size(A, 1), size(A, 1)] = A;
    Integer pivot[size(A, 1)];
    external "FORTRAN 77" dgesv(n, 1, W, n, pivot, x, n, info) annotation(Library = "lapack");
  end solve;
  function wrong "A leading dimension that is too small ends nothing"
    input Real A[2, 2];
    output Integer info;
  protected
    Real W[2, 2] = A;
    Integer pivot[2];
    Real x[2];
    external "FORTRAN 77" dgesv(2, 1, W, 1, pivot, x, 2, info) annotation(Library = "lapack");
  end wrong;
  constant Integer info = wrong(A);
  Integer again = wrong(A*time);
  constant Real A[2, 2] = [1, 2; 3, 4];
  constant Real c[2] = solve(A, {-3, -5});
  parameter Integer n = integer(2.5 + c[1]) annotation(Evaluate = true);
  Real s[n] = fill(1.0, n);
  Real x[2] = c;
  Real z[2] = solve(A, {-6, -10}*max(time, 1));
end ExternalLapack;
