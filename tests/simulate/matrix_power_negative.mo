//! command simulate {file} --output -
//! error R115 7:33
//! message the exponent of a matrix is negative
//! exit 3
model MatrixPowerNegative
  parameter Integer n = -1;
  Real B[2, 2] = [1, time; 0, 1]^n;
end MatrixPowerNegative;
