// A X + X B = C: sizes of an input that use a later input, texts of a protected variable.
//! command simulate {file} --output - --stop 1
//! near X[1,1](0) = -0.06666666666666665 within 1e-14
//! near X[1,2](0) = 0.20277777777777775 within 1e-14
//! near X[2,1](0) = 0.6 within 1e-14
//! near X[2,2](1) = 0.55 within 1e-14
//! near info(1) = 0 within 0
model Sylvester
  function solve "by DTRSYL of LAPACK, for triangular A and B"
    input Real A[:, :], B[:, :];
    input Real C[if turned then size(A, 1) else size(A, 2), size(B, 2)];
    input Boolean turned = false;
    output Real X[size(C, 1), size(C, 2)] = C;
    output Real scale;
    output Integer info;
  protected
    String t = if turned then "T" else "N", no = "N";
    Integer m = size(A, 1), n = size(B, 1);
    external "FORTRAN 77" dtrsyl(t, no, 1, m, n, A, m, B, n, X, m, scale, info);
  end solve;
  Real X[2, 2], scale;
  Integer info;
algorithm
  (X, scale, info) := solve([1, 2; 0, 3], [2, 1; 0, 5], [1, 2; 3, 4 + time]);
end Sylvester;
